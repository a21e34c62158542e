/** Prints the path of mongodb-memory-server's mongod, downloading it if needed; see mongodb-choices.mjs. */
import { MongoBinary } from 'mongodb-memory-server';

try {
  process.stdout.write(`${await MongoBinary.getPath({ downloadDir: process.argv[2] })}\n`);
} catch (error) {
  process.stdout.write(`${String(error.message).replaceAll('\n', ' ')}\n`);
  process.exitCode = 1;
}
