package kaon;

/** An error in kaon. The message is for people, the kind for programs. */
public final class KaonException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kinds of errors, in the order of kaon's results in C. */
  public enum Kind {
    /** The system failed to read or write. */
    IO,
    /** A file or folder is missing. */
    MISSING,
    /** A file contradicts itself or its checksum. */
    CORRUPT,
    /** This kaon does not read the format or version of a file. */
    VERSION,
    /** The name is unknown. */
    NAME,
    /** The type differs from the requested type. */
    TYPE,
    /** The call is invalid, whatever the data. */
    USAGE,
    /** More memory would be needed than exists or is allowed. */
    MEMORY
  }

  /** The kind of the error. */
  private final Kind kind;

  KaonException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** {@return the kind of the error} */
  public Kind kind() {
    return kind;
  }
}
