/** What the arena starts. It stands apart from the bot, so that tests can load the bot without starting it. */
import { decide } from "./bot.js";
import { run } from "./client.js";

const hello = { name: "typescript-bot", version: "1.0", language: "TypeScript" };
await run({ ...hello, parallel: 8, deterministic: true }, decide);
