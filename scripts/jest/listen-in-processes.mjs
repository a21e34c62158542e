/**
 * Loaded before the main module of each process that runs tests or is started by one: its driver is listened to as soon
 * as it loads.
 */
import { Module } from 'node:module';
import { listenTo } from './command-listener.mjs';

const { COMMANDS_DIR: dir } = process.env;
/** @type {any} */
const modules = Module;
const load = modules._load;
/** Whether tests run in this process, beside the service. */
const onlyService = /[\\/]node_modules[\\/]jest(-worker)?[\\/]/.test(process.argv[1] ?? '');

modules._load = function listening(/** @type {string} */ request, /** @type {unknown[]} */ ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (request === 'mongodb' && dir && loaded?.MongoClient)
    listenTo(loaded, { dir, name: `process-${process.pid}`, onlyService });
  return loaded;
};
