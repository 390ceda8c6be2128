// Structs for the maps in messages.
//
// A struct is listed once, as FIELDS(X, tag) with an X(tag, TYPE, member, "key") for each field; STRUCT then makes
// `struct tag` and `read_tag`. Reading passes over fields that it does not know, as a later version may add some. A
// field that is missing, null or of another type is -1, 0, false, empty or NULL, by its type. Nothing is copied: a
// struct is good for as long as the frame that it was read from.

#ifndef WIRE_H
#define WIRE_H

#include <math.h>
#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_type { NUMBER, UNSIGNED, FLAG, TEXT, LIST, ANY };

typedef int64_t NUMBER_member;          // missing: -1
typedef uint64_t UNSIGNED_member;       // missing: 0
typedef bool FLAG_member;               // missing: false
typedef msgpack_object_str TEXT_member; // not ended by a 0; missing: of size 0
typedef msgpack_object_array LIST_member;
typedef const msgpack_object *ANY_member; // a map with a struct of its own, or what has several types; missing: NULL

struct field {
    const char *key;
    enum field_type type;
    size_t offset;
};

#define FIELD_MEMBER(tag, type, member, key) type##_member member;
#define FIELD_ENTRY(tag, type, member, key) {key, type, offsetof(struct tag, member)},
#define STRUCT(tag, FIELDS)                                                                                            \
    struct tag {                                                                                                       \
        FIELDS(FIELD_MEMBER, tag)                                                                                      \
    };                                                                                                                 \
    static inline size_t read_##tag(const msgpack_object *map, struct tag *into) {                                     \
        static const struct field fields[] = {FIELDS(FIELD_ENTRY, tag)};                                               \
        return read_fields(map, fields, sizeof fields / sizeof *fields, into);                                         \
    }

// Fills the struct at `into`. Returns how many fields of the map went into it.
size_t read_fields(const msgpack_object *map, const struct field *fields, size_t count, void *into);

bool text_same(msgpack_object_str text, msgpack_object_str other);
bool text_is(msgpack_object_str text, const char *word);

// Whether the text is one of these words; the last of them is NULL.
bool text_among(msgpack_object_str text, const char *const *words);

// An entry of a list; NULL beyond its end.
const msgpack_object *entry(msgpack_object_array list, int64_t index);

// The index of the list's entry with the highest worth, the first among equals. Worth NEVER: not considered.
#define NEVER (-INFINITY)
typedef double worth_of(const msgpack_object *entry, const void *position);
int64_t best_of(msgpack_object_array list, worth_of *worth, const void *position);

// The text, list or whole number that an object is; else an empty one, or -1.
msgpack_object_str text_of(const msgpack_object *object);
msgpack_object_array list_of(const msgpack_object *object);
int64_t number_of(const msgpack_object *object);

// Writes a text, or a key with its value.
void pack_text(msgpack_packer *packer, msgpack_object_str text);
void pack_word(msgpack_packer *packer, const char *word);
void pack_pair(msgpack_packer *packer, const char *key, const char *word);
void pack_number(msgpack_packer *packer, const char *key, int64_t number);

#endif
