"""Events for other libraries, and work shared among machines."""
