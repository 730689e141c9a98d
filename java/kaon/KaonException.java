package kaon;

/** What went wrong in kaon. The message is for people, the kind for programs. */
public final class KaonException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What went wrong, in the order of kaon's results in C. */
  public enum Kind {
    /** The system refused to read or write. */
    IO,
    /** There is no such file or folder. */
    MISSING,
    /** Bytes in a file contradict each other or their checksum. */
    CORRUPT,
    /** A file is of a format or version that this kaon does not read. */
    VERSION,
    /** Nothing has this name. */
    NAME,
    /** The thing has another type. */
    TYPE,
    /** The call does not make sense, whatever the data. */
    USAGE,
    /** It would take more memory than there is, or than is allowed. */
    MEMORY
  }

  /** What went wrong. */
  private final Kind kind;

  KaonException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** {@return what went wrong} */
  public Kind kind() {
    return kind;
  }
}
