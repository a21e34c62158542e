/**
 * Preloaded into a process. From the first request with the header `X-Die-At: n` on, it counts the writes of the
 * process to other servers and kills the process, like a power cut, just before write number n; nothing between two
 * writes is visible from outside, so these deaths cover all others.
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

/** Sockets that others opened to this process carry replies. */
const isOutgoing = (socket) => socket.server === undefined || socket.server === null;

const write = Socket.prototype._writeGeneric;
Socket.prototype._writeGeneric = function (...args) {
  if (dieAt > 0 && isOutgoing(this) && this.remotePort !== undefined) {
    writes += 1;
    if (writes === dieAt) process.kill(process.pid, 'SIGKILL');
  }
  return write.apply(this, args);
};
