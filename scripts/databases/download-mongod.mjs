/** Prints the path of mongodb-memory-server's mongod, downloading it if needed; see mongodb-choices.mjs. */
import { MongoBinary } from 'mongodb-memory-server';
import { messageOf } from '../system/errors.mjs';

const [, , downloadDir = ''] = process.argv;

try {
  process.stdout.write(`${await MongoBinary.getPath({ downloadDir })}\n`);
} catch (error) {
  process.stdout.write(`${messageOf(error).replaceAll('\n', ' ')}\n`);
  process.exitCode = 1;
}
