float squared() const { return x * x + y * y; }
