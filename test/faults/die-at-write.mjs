/**
 * Loaded into a process before its own code: from the first request on that carries the header `X-Die-At: n` it counts
 * what the process writes to any other server, and ends it, as a power cut would, just before write number n. What a
 * process does between two writes nobody outside can see, so that all of these together are all its deaths.
 */
import { Server } from 'node:http';
import { Socket } from 'node:net';

let dieAt = 0;
let writes = 0;

const emit = Server.prototype.emit;
Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'request') dieAt ||= Number(request.headers['x-die-at'] ?? 0);
  return emit.call(this, event, request, ...rest);
};

/** Sockets that others opened to us carry replies. */
const isOutgoing = (socket) => socket.server === undefined || socket.server === null;

const write = Socket.prototype._writeGeneric;
Socket.prototype._writeGeneric = function (...args) {
  if (dieAt > 0 && isOutgoing(this) && this.remotePort !== undefined) {
    writes += 1;
    if (writes === dieAt) process.kill(process.pid, 'SIGKILL');
  }
  return write.apply(this, args);
};
