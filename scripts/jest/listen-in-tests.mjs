/** In each test file: listens to the driver that the file's own copy of the service loads. */
import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { listenTo } from './command-listener.mjs';

const { COMMANDS_DIR: dir } = process.env;
if (dir) {
  const name = `test-${process.pid}-${randomBytes(4).toString('hex')}`;
  listenTo(mongoose.mongo, { dir, name, onlyService: true });
}
