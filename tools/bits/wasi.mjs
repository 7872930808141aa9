// Runs a program for WASI with the standard input of this process.
import { readFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: [argv[2]], returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(argv[2]), wasi.getImportObject());
exit(wasi.start(instance));
