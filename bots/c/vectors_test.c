// Reads the golden vectors of the first of the folders in its arguments that is there: each frame must be decoded to
// the JSON beside it and fit our structs, what we write must say what the JSON of a bot's message says, and no frame
// whatever may do harm (the preset `test` looks for it with sanitizers).

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot.h"
#include "kosmos.h"
#include "ravensburger.h"

enum { SKIPPED = 77, LONGEST_PATH = 4096, MOST = 64 }; // 77: as CMakeLists.txt says

struct vector {
    const char *name;
    struct json_object *json; // what it means
    char *frame;
    size_t size;
};

static int failures = 0;

static void check(bool holds, const char *what, const char *about) {
    if (!holds) {
        fprintf(stderr, "FAILED: %s %s\n", what, about);
        ++failures;
    }
}

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static bool same_number(const msgpack_object *object, struct json_object *json) {
    switch (object->type) {
    case MSGPACK_OBJECT_POSITIVE_INTEGER: // 64 bits without sign
        return json_object_is_type(json, json_type_int) && json_object_get_uint64(json) == object->via.u64 &&
               json_object_get_string(json)[0] != '-';
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        return json_object_is_type(json, json_type_int) && json_object_get_int64(json) == object->via.i64;
    default: // a metric that is a whole number in JSON may be a float on the wire
        return (json_object_is_type(json, json_type_double) || json_object_is_type(json, json_type_int)) &&
               json_object_get_double(json) == object->via.f64;
    }
}

static bool same(const msgpack_object *object, struct json_object *json);

static bool same_map(msgpack_object_map map, struct json_object *json) {
    if (!json_object_is_type(json, json_type_object) || (int)map.size != json_object_object_length(json)) {
        return false;
    }
    json_object_object_foreach(json, key, value) {
        bool found = false;
        for (uint32_t index = 0; index < map.size; ++index) {
            found = found || (text_is(text_of(&map.ptr[index].key), key) && same(&map.ptr[index].val, value));
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool same_list(msgpack_object_array list, struct json_object *json) {
    if (!json_object_is_type(json, json_type_array) || list.size != json_object_array_length(json)) {
        return false;
    }
    for (uint32_t index = 0; index < list.size; ++index) {
        if (!same(&list.ptr[index], json_object_array_get_idx(json, index))) {
            return false;
        }
    }
    return true;
}

// Whether what was unpacked is what the JSON says.
static bool same(const msgpack_object *object, struct json_object *json) {
    switch (object->type) {
    case MSGPACK_OBJECT_NIL:
        return json == NULL;
    case MSGPACK_OBJECT_BOOLEAN:
        return json_object_is_type(json, json_type_boolean) && json_object_get_boolean(json) == object->via.boolean;
    case MSGPACK_OBJECT_STR:
        return json_object_is_type(json, json_type_string) && text_is(object->via.str, json_object_get_string(json));
    case MSGPACK_OBJECT_ARRAY:
        return same_list(object->via.array, json);
    case MSGPACK_OBJECT_MAP:
        return same_map(object->via.map, json);
    default:
        return same_number(object, json);
    }
}

// Whether all fields of a map are in our struct, with the type that they have there.
#define FITS(tag, object) (read_##tag((object), &(struct tag){0}) == (object)->via.map.size)

static bool all_fit(msgpack_object_array list, bool fits(const msgpack_object *)) {
    for (uint32_t index = 0; index < list.size; ++index) {
        if (!fits(&list.ptr[index])) {
            return false;
        }
    }
    return true;
}

static bool clock_fits(const msgpack_object *clock) { return clock == NULL || FITS(arena_clock, clock); }

static bool message_fits(msgpack_object_str type, const msgpack_object *object) {
    const size_t fields = object->via.map.size - 1; // without its type
    if (text_is(type, "welcome")) {
        struct arena_welcome welcome;
        return read_arena_welcome(object, &welcome) == fields && FITS(arena_protocol_limits, welcome.limits);
    }
    if (text_is(type, "start")) {
        struct arena_start start;
        return read_arena_start(object, &start) == fields && clock_fits(start.clock);
    }
    if (text_is(type, "decide")) {
        struct arena_decide decision;
        return read_arena_decide(object, &decision) == fields && clock_fits(decision.clock);
    }
    if (text_is(type, "fault")) {
        return read_arena_fault(object, &(struct arena_fault){0}) == fields;
    }
    return text_is(type, "end") ? read_arena_end(object, &(struct arena_end){0}) == fields : fields == 0;
}

static bool kosmos_use_fits(const msgpack_object *use) { return FITS(kosmos_use, use); }
static bool event_card_fits(const msgpack_object *card) { return FITS(ravensburger_event_card, card); }

static bool kosmos_fits(const char *name, const msgpack_object *object) {
    if (begins(name, "edition-")) {
        struct kosmos_edition edition;
        read_kosmos_edition(object, &edition);
        return FITS(kosmos_edition, object) && FITS(kosmos_parameters, edition.parameters) &&
               FITS(kosmos_board, edition.board) && FITS(kosmos_chits, edition.chits);
    }
    if (begins(name, "action-")) {
        struct kosmos_action action;
        read_kosmos_action(object, &action);
        return FITS(kosmos_action, object) && all_fit(action.uses, kosmos_use_fits);
    }
    if (begins(name, "view-")) {
        struct kosmos_view view;
        struct kosmos_hidden_by_deck hidden;
        read_kosmos_view(object, &view);
        read_kosmos_hidden_by_deck(view.hidden, &hidden);
        return FITS(kosmos_view, object) && FITS(kosmos_decks, view.decks) && FITS(kosmos_piles, view.piles) &&
               FITS(kosmos_hidden_by_deck, view.hidden) && FITS(arena_hidden, hidden.travel) &&
               FITS(arena_hidden, hidden.event) && (view.leg == NULL || FITS(kosmos_leg, view.leg)) &&
               (view.chit == NULL || FITS(kosmos_open_chit, view.chit)) &&
               (view.face_down == NULL || FITS(kosmos_face_down, view.face_down));
    }
    struct kosmos_event event;
    read_kosmos_event(object, &event);
    return FITS(kosmos_event, object) && all_fit(event.uses, kosmos_use_fits);
}

static bool ravensburger_fits(const char *name, const msgpack_object *object) {
    if (begins(name, "edition-")) {
        struct ravensburger_edition edition;
        read_ravensburger_edition(object, &edition);
        return FITS(ravensburger_edition, object) && FITS(ravensburger_parameters, edition.parameters) &&
               FITS(ravensburger_board, edition.board) && FITS(ravensburger_cards, edition.cards) &&
               all_fit(edition.events, event_card_fits);
    }
    if (begins(name, "action-")) {
        return FITS(ravensburger_action, object);
    }
    if (begins(name, "view-")) {
        struct ravensburger_view view;
        struct ravensburger_hidden_by_deck hidden;
        read_ravensburger_view(object, &view);
        read_ravensburger_hidden_by_deck(view.hidden, &hidden);
        return FITS(ravensburger_view, object) && FITS(ravensburger_decks, view.decks) &&
               FITS(ravensburger_piles, view.piles) && FITS(ravensburger_hidden_by_deck, view.hidden) &&
               FITS(arena_hidden, hidden.action) && FITS(arena_hidden, hidden.event) &&
               (view.turn == NULL || FITS(ravensburger_turn, view.turn));
    }
    return FITS(ravensburger_event, object);
}

// What a bot may leave out of its messages means the same as the default, which we write.
static void complete(struct json_object *json, bool hello) {
    struct json_object *defaults = json_tokener_parse(
        hello ? "{\"version\":\"\",\"language\":\"\",\"games\":[],\"parallel\":1,\"deterministic\":false}" : "{}");
    json_object_object_foreach(defaults, key, value) {
        if (!json_object_object_get_ex(json, key, NULL)) {
            json_object_object_add(json, key, json_object_get(value));
        }
    }
    json_object_put(defaults);
    static const char *const of_act[] = {"note", "metrics"}; // null: none, which we leave out
    for (size_t index = 0; index < 2; ++index) {
        if (json_object_object_get(json, of_act[index]) == NULL) {
            json_object_object_del(json, of_act[index]);
        }
    }
}

static void write_hello(msgpack_packer *packer, struct json_object *json) {
    const char *games[MOST] = {NULL};
    struct json_object *list = json_object_object_get(json, "games");
    for (size_t index = 0; list != NULL && index < json_object_array_length(list); ++index) {
        games[index] = json_object_get_string(json_object_array_get_idx(list, index));
    }
    const struct arena_hello hello = {
        .name = json_object_get_string(json_object_object_get(json, "name")),
        .version = json_object_get_string(json_object_object_get(json, "version")),
        .language = json_object_get_string(json_object_object_get(json, "language")),
        .games = list == NULL ? NULL : games,
        .parallel = json_object_get_int(json_object_object_get(json, "parallel")),
        .deterministic = json_object_get_boolean(json_object_object_get(json, "deterministic")),
    };
    pack_hello(packer, &hello);
}

static void write_act(msgpack_packer *packer, struct json_object *json) {
    struct arena_metric metrics[MOST] = {{NULL, 0}};
    struct json_object *map = json_object_object_get(json, "metrics");
    size_t count = 0;
    if (map != NULL) {
        json_object_object_foreach(map, key, value) {
            metrics[count++] = (struct arena_metric){key, json_object_get_double(value)};
        }
    }
    const struct arena_act act = {
        .index = json_object_get_int64(json_object_object_get(json, "index")),
        .note = json_object_get_string(json_object_object_get(json, "note")),
        .metrics = map == NULL ? NULL : metrics,
    };
    const char *game_id = json_object_get_string(json_object_object_get(json, "game_id"));
    const msgpack_object_str text = {(uint32_t)strlen(game_id), game_id};
    pack_act(packer, text, json_object_get_int64(json_object_object_get(json, "turn")), &act);
}

// Writes a bot's message out of its JSON, and compares what that means.
static void check_written(const struct vector *vector, bool hello) {
    msgpack_sbuffer frame;
    msgpack_packer packer;
    msgpack_unpacked unpacked;
    msgpack_sbuffer_init(&frame);
    msgpack_packer_init(&packer, &frame, msgpack_sbuffer_write);
    msgpack_unpacked_init(&unpacked);
    hello ? write_hello(&packer, vector->json) : write_act(&packer, vector->json);
    complete(vector->json, hello);
    const bool whole = msgpack_unpack_next(&unpacked, frame.data, frame.size, NULL) == MSGPACK_UNPACK_SUCCESS;
    check(whole && same(&unpacked.data, vector->json), vector->name, "is written so that it means its JSON");
    msgpack_unpacked_destroy(&unpacked);
    msgpack_sbuffer_destroy(&frame);
}

#define TYPE(X, tag) X(tag, TEXT, type, "type") X(tag, UNSIGNED, bot_seed, "bot_seed")
STRUCT(type, TYPE)

static void check_message(const struct vector *vector, const msgpack_object *object) {
    struct type is;
    read_type(object, &is);
    if (!text_is(is.type, "hello") && !text_is(is.type, "act")) {
        check(message_fits(is.type, object), vector->name, "fits the structs of messages.h");
        const uint64_t seed = json_object_get_uint64(json_object_object_get(vector->json, "bot_seed"));
        check(is.bot_seed == seed, vector->name, "keeps the 64 bits of its bot_seed");
    } else if (strstr(vector->name, "-later-") == NULL) { // we write nothing of later versions
        check_written(vector, text_is(is.type, "hello"));
    }
}

static void check_vector(const char *file, const struct vector *vector) {
    msgpack_unpacked unpacked;
    msgpack_unpacked_init(&unpacked);
    const bool whole = msgpack_unpack_next(&unpacked, vector->frame, vector->size, NULL) == MSGPACK_UNPACK_SUCCESS;
    check(whole && same(&unpacked.data, vector->json), vector->name, "is decoded to its JSON");
    if (strcmp(file, "kosmos") == 0) {
        check(kosmos_fits(vector->name, &unpacked.data), vector->name, "fits the structs of kosmos.h");
    } else if (strcmp(file, "ravensburger") == 0) {
        check(ravensburger_fits(vector->name, &unpacked.data), vector->name, "fits the structs of ravensburger.h");
    } else {
        check_message(vector, &unpacked.data);
    }
    msgpack_unpacked_destroy(&unpacked);
}

static enum arena_answer take(struct arena_session *session, const char *frame, size_t size) {
    msgpack_sbuffer act;
    msgpack_sbuffer_init(&act);
    const enum arena_answer result = arena_take(session, frame, size, &act);
    msgpack_sbuffer_destroy(&act);
    return result;
}

static void pack_vector(msgpack_packer *packer, const char *key, const struct vector *vector) {
    pack_word(packer, key);
    msgpack_sbuffer_write(packer->data, vector->frame, vector->size);
}

static void pack_start(msgpack_packer *packer, const char *game, const struct vector *edition) {
    msgpack_pack_map(packer, 4);
    pack_pair(packer, "type", "start");
    pack_pair(packer, "game", game);
    pack_number(packer, "seat", 0);
    pack_vector(packer, "edition", edition);
}

// A decision between all actions of the game that there are.
static void pack_decide(msgpack_packer *packer, const struct vector *view, const struct vector *vectors, size_t count) {
    size_t actions = 0;
    for (size_t index = 0; index < count; ++index) {
        actions += begins(vectors[index].name, "action-");
    }
    msgpack_pack_map(packer, 4);
    pack_pair(packer, "type", "decide");
    pack_number(packer, "turn", 1);
    pack_vector(packer, "view", view);
    pack_word(packer, "actions");
    msgpack_pack_array(packer, actions);
    for (size_t index = 0; index < count; ++index) {
        if (begins(vectors[index].name, "action-")) {
            msgpack_sbuffer_write(packer->data, vectors[index].frame, vectors[index].size);
        }
    }
}

// Asks the bot with single bytes changed, in the start and in the decision; not every byte, to be quick.
static void damage(msgpack_sbuffer *start, msgpack_sbuffer *decision) {
    static const unsigned char wrong[] = {0x00, 0x7f, 0x80, 0x81, 0x90, 0x91, 0xa0, 0xbf, 0xc0, 0xc1, 0xc4,
                                          0xc7, 0xca, 0xcb, 0xcf, 0xd3, 0xd9, 0xdb, 0xdd, 0xdf, 0xe0, 0xff};
    for (size_t place = 0; place < start->size + decision->size; place += 5) {
        char *byte = place < start->size ? &start->data[place] : &decision->data[place - start->size];
        const char right = *byte;
        *byte = (char)wrong[place % sizeof wrong];
        struct arena_session session = {decide, NULL};
        take(&session, start->data, start->size);
        take(&session, decision->data, decision->size);
        arena_forget(&session);
        *byte = right;
    }
}

static void check_game(const char *game, const struct vector *vectors, size_t count) {
    for (size_t index = 0; index < count; ++index) {
        if (!begins(vectors[index].name, "view-")) {
            continue;
        }
        msgpack_sbuffer start;
        msgpack_sbuffer decision;
        msgpack_packer packer;
        msgpack_sbuffer_init(&start);
        msgpack_packer_init(&packer, &start, msgpack_sbuffer_write);
        pack_start(&packer, game, &vectors[0]); // editions come first
        msgpack_sbuffer_init(&decision);
        msgpack_packer_init(&packer, &decision, msgpack_sbuffer_write);
        pack_decide(&packer, &vectors[index], vectors, count);
        struct arena_session session = {decide, NULL};
        check(take(&session, start.data, start.size) == ARENA_NONE, game, "begins");
        check(take(&session, decision.data, decision.size) == ARENA_ACT, vectors[index].name, "is answered");
        arena_forget(&session);
        damage(&start, &decision);
        msgpack_sbuffer_destroy(&start);
        msgpack_sbuffer_destroy(&decision);
    }
}

static void check_malformed(const struct vector *vector) {
    struct arena_session session = {decide, NULL};
    check(take(&session, vector->frame, vector->size) != ARENA_ACT, vector->name, "is not answered");
    arena_forget(&session);
}

static struct vector read_vector(struct json_object *json) {
    const char *hex = json_object_get_string(json_object_object_get(json, "hex"));
    const size_t size = strlen(hex) / 2;
    char *frame = malloc(size + (size == 0)); // no byte more, so that a sanitizer notices reads beyond the end
    for (size_t index = 0; index < size; ++index) {
        const char digits[] = {hex[2 * index], hex[2 * index + 1], '\0'};
        frame[index] = (char)strtoul(digits, NULL, 16);
    }
    const char *name = json_object_get_string(json_object_object_get(json, "name"));
    return (struct vector){name, json_object_object_get(json, "json"), frame, size};
}

static void check_file(const char *folder, const char *file) {
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s.json", folder, file);
    struct json_object *list = json_object_from_file(path);
    const size_t count = list == NULL ? 0 : json_object_array_length(list);
    check(count > 0, path, "holds vectors");
    struct vector *vectors = calloc(count + 1, sizeof *vectors);
    for (size_t index = 0; index < count; ++index) {
        vectors[index] = read_vector(json_object_array_get_idx(list, index));
        if (strcmp(file, "malformed") == 0) {
            check_malformed(&vectors[index]);
        } else {
            check_vector(file, &vectors[index]);
        }
    }
    check_game(file, vectors, count);
    for (size_t index = 0; index < count; ++index) {
        free(vectors[index].frame);
    }
    free(vectors);
    json_object_put(list);
    fprintf(stderr, "%zu vectors of %s\n", count, path);
}

int main(int count, char **folders) {
    static const char *const files[] = {"messages", "kosmos", "ravensburger", "malformed"};
    for (int index = 1; index < count; ++index) {
        char path[LONGEST_PATH];
        snprintf(path, sizeof path, "%s/%s.json", folders[index], files[0]);
        FILE *found = fopen(path, "r");
        if (found != NULL) {
            fclose(found);
            for (size_t file = 0; file < sizeof files / sizeof *files; ++file) {
                check_file(folders[index], files[file]);
            }
            return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    }
    fprintf(stderr, "skipped: no folder with golden vectors\n");
    return SKIPPED;
}
