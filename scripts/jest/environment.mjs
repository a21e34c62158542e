/** Jest's environment of a test file: the process itself, in which settings are put back when the file has ended. */
import { ModuleMocker } from 'jest-mock';

export default class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  before = { env: { ...process.env }, exit: process.exit, console: globalThis.console };

  getVmContext() {
    return null;
  }

  async setup() {
    // Jest would look for the source maps of the modules that it has compiled itself; Node knows those of these.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
  }

  async teardown() {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
    process.exit = this.before.exit;
    globalThis.console = this.before.console;
  }
}
