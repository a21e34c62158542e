/** Prints the path of mongodb-memory-server's mongod, downloading it if needed; see mongodb-choices.ts. */
import { messageOf } from '#scripts/system/errors.mjs';
import { MongoBinary } from 'mongodb-memory-server';

const [, , downloadDir = ''] = process.argv;

try {
  process.stdout.write(`${await MongoBinary.getPath({ downloadDir })}\n`);
} catch (error) {
  process.stdout.write(`${messageOf(error).replaceAll('\n', ' ')}\n`);
  process.exitCode = 1;
}
