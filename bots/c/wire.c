#include "wire.h"

#include <string.h>

static msgpack_object_str text_from(const char *word) { return (msgpack_object_str){(uint32_t)strlen(word), word}; }

// Writes the object into the member at `into`; NULL writes what stands for a missing one. False: of another type.
static bool write_member(enum field_type type, const msgpack_object *object, void *into) {
    const bool none = object == NULL || object->type == MSGPACK_OBJECT_NIL;
    const bool positive = !none && object->type == MSGPACK_OBJECT_POSITIVE_INTEGER;
    switch (type) {
    case NUMBER:
        *(int64_t *)into = none ? -1 : number_of(object);
        return none || object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER || (positive && object->via.u64 <= INT64_MAX);
    case UNSIGNED:
        *(uint64_t *)into = positive ? object->via.u64 : 0;
        return none || positive;
    case FLAG:
        *(bool *)into = !none && object->type == MSGPACK_OBJECT_BOOLEAN && object->via.boolean;
        return none || object->type == MSGPACK_OBJECT_BOOLEAN;
    case TEXT:
        *(msgpack_object_str *)into = text_of(object);
        return none || object->type == MSGPACK_OBJECT_STR;
    case LIST:
        *(msgpack_object_array *)into = list_of(object);
        return none || object->type == MSGPACK_OBJECT_ARRAY;
    case ANY:
        *(const msgpack_object **)into = none ? NULL : object;
        return true;
    }
    return false;
}

size_t read_fields(const msgpack_object *map, const struct field *fields, size_t count, void *into) {
    size_t taken = 0;
    for (size_t field = 0; field < count; ++field) {
        write_member(fields[field].type, NULL, (char *)into + fields[field].offset);
    }
    if (map == NULL || map->type != MSGPACK_OBJECT_MAP) {
        return 0;
    }
    for (uint32_t entry = 0; entry < map->via.map.size; ++entry) {
        const msgpack_object_kv *pair = &map->via.map.ptr[entry];
        for (size_t field = 0; field < count; ++field) {
            if (text_is(text_of(&pair->key), fields[field].key)) {
                taken += write_member(fields[field].type, &pair->val, (char *)into + fields[field].offset);
            }
        }
    }
    return taken;
}

bool text_same(msgpack_object_str text, msgpack_object_str other) {
    return text.size == other.size && memcmp(text.ptr, other.ptr, text.size) == 0;
}

bool text_is(msgpack_object_str text, const char *word) { return text_same(text, text_from(word)); }

bool text_among(msgpack_object_str text, const char *const *words) {
    for (; *words != NULL; ++words) {
        if (text_is(text, *words)) {
            return true;
        }
    }
    return false;
}

msgpack_object_str text_of(const msgpack_object *object) {
    const bool text = object != NULL && object->type == MSGPACK_OBJECT_STR;
    return text ? object->via.str : (msgpack_object_str){0, ""};
}

msgpack_object_array list_of(const msgpack_object *object) {
    const bool list = object != NULL && object->type == MSGPACK_OBJECT_ARRAY;
    return list ? object->via.array : (msgpack_object_array){0, NULL};
}

const msgpack_object *entry(msgpack_object_array list, int64_t index) {
    return index >= 0 && index < list.size ? &list.ptr[index] : NULL;
}

int64_t best_of(msgpack_object_array list, worth_of *worth, const void *position) {
    uint32_t found = 0;
    double most = NEVER;
    for (uint32_t index = 0; index < list.size; ++index) {
        const double value = worth(&list.ptr[index], position);
        if (value > most) {
            found = index;
            most = value;
        }
    }
    return found;
}

int64_t number_of(const msgpack_object *object) {
    if (object != NULL && object->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
        return object->via.i64;
    }
    const bool number = object != NULL && object->type == MSGPACK_OBJECT_POSITIVE_INTEGER;
    return number && object->via.u64 <= INT64_MAX ? (int64_t)object->via.u64 : -1;
}

void pack_text(msgpack_packer *packer, msgpack_object_str text) {
    msgpack_pack_str(packer, text.size);
    msgpack_pack_str_body(packer, text.ptr, text.size);
}

void pack_word(msgpack_packer *packer, const char *word) { pack_text(packer, text_from(word)); }

void pack_pair(msgpack_packer *packer, const char *key, const char *word) {
    pack_word(packer, key);
    pack_word(packer, word);
}

void pack_number(msgpack_packer *packer, const char *key, int64_t number) {
    pack_word(packer, key);
    msgpack_pack_int64(packer, number);
}
