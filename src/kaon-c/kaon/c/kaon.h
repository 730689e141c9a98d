#ifndef KAON_C_KAON_H
#define KAON_C_KAON_H

#include <stddef.h>
#include <stdint.h>

/*
 * kaon for C, and for languages that call C: files of any format that kaon knows are read and
 * written as Arrow's C interfaces have tables. Their structs are described at
 * https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html; whoever needs
 * them has them from there, or from a library for Arrow.
 *
 *   kaon_file* file;
 *   struct ArrowArrayStream muons;
 *   const char* columns[] = {"Muon.pt", "Muon.charge"};
 *   if (kaon_open("events.root", &file) ||
 *       kaon_read(file, "events", NULL, columns, 2, 0, UINT64_MAX, &muons))
 *     fprintf(stderr, "%s\n", kaon_error());
 *
 * Functions that return an int return KAON_OK, or what went wrong, of which kaon_error() has the
 * words; what they would give is unchanged then. Texts are UTF-8 and end with 0. Warnings, such as
 * of a file whose writer did not finish it, go to the standard error stream.
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

/** What went wrong. */
enum kaon_result {
  KAON_OK = 0,
  KAON_IO,      /**< the system refused to read or write */
  KAON_MISSING, /**< there is no such file or folder */
  KAON_CORRUPT, /**< bytes in a file contradict each other or their checksum */
  KAON_VERSION, /**< a file is of a format or version that this kaon does not read */
  KAON_NAME,    /**< nothing has this name */
  KAON_TYPE,    /**< the thing has another type */
  KAON_USAGE,   /**< the call does not make sense, whatever the data */
  KAON_MEMORY   /**< it would take more memory than there is, or than is allowed */
};

/** What went wrong in the last call of this thread that failed; until its next one. */
const char* kaon_error(void);

/**
 * A file that is open for reading, or several that are read one after another as if they were one.
 * Any number of threads may use it.
 */
typedef struct kaon_file kaon_file;

/**
 * Opens a file of any format, or at a URL, or all files that a pattern as a shell's means, in the
 * order of their names: "run7/?.hipo". The caller closes it.
 */
int kaon_open(const char* path, kaon_file** file);
/**
 * The same of several paths and patterns. The first file is opened at once and says what there is,
 * the others when their turn comes.
 */
int kaon_open_all(const char* const* paths, size_t path_count, kaon_file** file);
/** Closes it; streams of it that are there go on. Null is nothing. */
void kaon_close(kaon_file* file);

/** How many categories a file has. */
size_t kaon_category_count(const kaon_file* file);
/** The name of one, which lasts as long as the file is open. Null if there are not as many. */
const char* kaon_category_name(const kaon_file* file, size_t number);
/** How many entries a category has. Opens all files. */
int kaon_entries(const kaon_file* file, const char* category, uint64_t* entries);

/** How many keys the metadata of a file has, of several the first one's. */
int kaon_metadata_count(kaon_file* file, size_t* count);
/**
 * One of them and its value: a text, or else JSON. They last as long as the file is open. Null if
 * there are not as many.
 */
int kaon_metadata(kaon_file* file, size_t number, const char** key, const char** value);

/**
 * Entries from `first` to before `last`, cut to what there is, as a stream of structs: one array is
 * a cluster, or several small ones. `cut` is an expression, those for which it is true are read;
 * null are all. `columns` are names such as "Muon.pt", or "Muon" for all that lies below it, and
 * then expressions such as "(Muon[0] + Muon[1]).mass", which become fields that are called so; none
 * are all that is stored. The caller releases the stream and its arrays, which are for one thread
 * at a time; they do not need the file to stay open.
 *
 * Where a stream fails, it returns EIO, ENOENT, EBADMSG for damage, ENOTSUP, ENOMEM, or else
 * EINVAL.
 */
int kaon_read(const kaon_file* file, const char* category, const char* cut,
              const char* const* columns, size_t column_count, uint64_t first, uint64_t last,
              struct ArrowArrayStream* stream);

/** A file that is being written. One thread at a time. */
typedef struct kaon_writer kaon_writer;

/**
 * Begins a file, of the format that the path's suffix says, or else kaon's. `codec` is "none",
 * "lz4", "zstd", "zlib" or "lzma", its level as kaon's C++ has it; null is kaon's choice. The
 * file takes its place when it is finished: what was there stays until then.
 */
int kaon_create(const char* path, const char* codec, int level, kaon_writer** writer);
/**
 * Takes over what a file says about itself: its models, and its metadata but for keys that are set.
 */
int kaon_copy_documents(kaon_writer* writer, const kaon_file* file);
/** Sets a text of the file's metadata, in place of one of this key. */
int kaon_set_metadata(kaon_writer* writer, const char* key, const char* value);
/**
 * Appends entries, a struct's array, to a category. Numbers, strings and structs become values,
 * lists of structs collections, other lists parameters; what kaon_read() gave becomes what it was.
 * Schema and array stay the caller's, and may go afterwards.
 */
int kaon_write(kaon_writer* writer, const char* category, const struct ArrowSchema* schema,
               const struct ArrowArray* entries);
/** Completes the file. The writer is gone afterwards, also if that fails. */
int kaon_finish(kaon_writer* writer);
/**
 * Gives up: what was at the path is still there, what was written beside it, as PATH.part. The
 * writer is gone afterwards. Null is nothing.
 */
void kaon_abandon(kaon_writer* writer);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
