#ifndef KAON_C_KAON_C_H
#define KAON_C_KAON_C_H

#include <stddef.h>
#include <stdint.h>

/*
 * kaon for C, and for languages that call C. Reads and writes files of all of kaon's formats
 * through Arrow's C interfaces. Their structs are described at
 * https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html. Copy their
 * definitions from there, or use those of a library for Arrow.
 *
 *   kaon_file* file;
 *   struct ArrowArrayStream muons;
 *   const char* columns[] = {"Muon.pt", "Muon.charge"};
 *   if (kaon_open("events.root", &file) ||
 *       kaon_read(file, "events", NULL, columns, 2, 0, UINT64_MAX, &muons))
 *     fprintf(stderr, "%s\n", kaon_error());
 *
 * Functions that return an int return KAON_OK or the kind of the error; kaon_error() returns its
 * message. On errors, output arguments are unchanged. Texts are UTF-8 and end with 0. Warnings, for
 * example about unfinished files, are printed to the standard error stream.
 */

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct ArrowArray;
struct ArrowArrayStream;
struct ArrowSchema;

/** The kinds of errors. */
enum kaon_result {
  KAON_OK = 0,
  KAON_IO,      /**< the system failed to read or write */
  KAON_MISSING, /**< a file or folder is missing */
  KAON_CORRUPT, /**< a file contradicts itself or its checksum */
  KAON_VERSION, /**< this kaon does not read the format or version of a file */
  KAON_NAME,    /**< the name is unknown */
  KAON_TYPE,    /**< the type differs from the requested type */
  KAON_USAGE,   /**< the call is invalid, whatever the data */
  KAON_MEMORY   /**< more memory would be needed than exists or is allowed */
};

/** Returns the message of the last error in this thread. Valid until the thread's next error. */
const char* kaon_error(void);

/**
 * A file that is open for reading, or several files that are read in sequence like one file. Any
 * number of threads may use it.
 */
typedef struct kaon_file kaon_file;

/**
 * Opens a file of any format, a URL, or all files that match a shell pattern, in the order of their
 * names: "run7/?.hipo". The caller must close it.
 */
int kaon_open(const char* path, kaon_file** file);
/**
 * Opens several paths and patterns as one file. The first file is opened immediately and defines
 * the categories. The others are opened in turn.
 */
int kaon_open_all(const char* const* paths, size_t path_count, kaon_file** file);
/** Closes a file. Its streams stay valid. Does nothing for null. */
void kaon_close(kaon_file* file);

/** Returns the number of categories of a file. */
size_t kaon_category_count(const kaon_file* file);
/**
 * Returns the name of a category. Valid as long as the file is open. Null if `number` is too large.
 */
const char* kaon_category_name(const kaon_file* file, size_t number);
/** Counts the entries of a category. Opens all files. */
int kaon_entries(const kaon_file* file, const char* category, uint64_t* entries);

/** Counts the keys in the metadata of a file; with several files, in the first one. */
int kaon_metadata_count(kaon_file* file, size_t* count);
/**
 * Returns a key of the metadata and its value, a text or JSON. Both are valid as long as the file
 * is open, and null if `number` is too large.
 */
int kaon_metadata(kaon_file* file, size_t number, const char** key, const char** value);

/**
 * Reads entries from `first` up to, but not including, `last`, limited to existing entries. Returns
 * a stream of structs. Each array is a cluster, or several small ones.
 *
 * `cut` is an expression; only entries for which it is true are read. Null means all entries.
 * `columns` are names such as "Muon.pt", or "Muon" for all columns below it. After the names,
 * expressions such as "(Muon[0] + Muon[1]).mass" may follow, which become fields of the same name.
 * Without columns, all stored columns are read.
 *
 * A missing value of an optional member is null: its bit in the first buffer is 0, and its value
 * means nothing. Nor do the children of a struct or array that is null.
 *
 * The caller must release the stream and its arrays. Use them in one thread at a time. They stay
 * valid when the file is closed.
 *
 * On errors, a stream returns EIO, ENOENT, EBADMSG (damaged file), ENOTSUP, ENOMEM, or otherwise
 * EINVAL.
 */
int kaon_read(const kaon_file* file, const char* category, const char* cut,
              const char* const* columns, size_t column_count, uint64_t first, uint64_t last,
              struct ArrowArrayStream* stream);

/** A file that is being written. Use it in one thread at a time. */
typedef struct kaon_writer kaon_writer;

/**
 * Begins a file. The suffix of the path selects the format; the default is kaon's. `codec` is
 * "none", "lz4", "zstd", "zlib" or "lzma", with levels as in kaon's C++ API. Null selects kaon's
 * default. The file takes its place in kaon_finish(); an older file stays until then.
 */
int kaon_create(const char* path, const char* codec, int level, kaon_writer** writer);
/** Copies the models and the metadata of a file. Metadata keys that were set before are kept. */
int kaon_copy_documents(kaon_writer* writer, const kaon_file* file);
/** Sets a text of the file's metadata. Replaces an earlier value of the key. */
int kaon_set_metadata(kaon_writer* writer, const char* key, const char* value);
/**
 * Appends entries, an array of structs, to a category. Numbers, strings and structs become values.
 * Lists of structs become collections, and other lists become parameters. Arrays from kaon_read()
 * keep their kinds. The caller keeps schema and array, and may release them afterwards.
 */
int kaon_write(kaon_writer* writer, const char* category, const struct ArrowSchema* schema,
               const struct ArrowArray* entries);
/** Completes the file. Frees the writer, even if this fails. */
int kaon_finish(kaon_writer* writer);
/**
 * Gives up the file. An older file at the path stays, and the written part remains as PATH.part.
 * Frees the writer. Does nothing for null.
 */
void kaon_abandon(kaon_writer* writer);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
