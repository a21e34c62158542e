/**
 * Preloaded into a process. From the first request with the header `X-Die-At: n` on, it counts the writes of the
 * process to other servers and kills the process, like a power cut, just before write number n; nothing between two
 * writes is visible from outside, so these deaths cover all others. With `X-Die-About: <id>`, the count begins at the
 * first write that contains this text, or this id as an ObjectId.
 */
import { Server } from 'node:http';
import { Socket } from 'node:net';

let dieAt = 0;
let writes = 0;
let about = '';

const emit = Server.prototype.emit;
Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'request') {
    dieAt ||= Number(request.headers['x-die-at'] ?? 0);
    about ||= String(request.headers['x-die-about'] ?? '');
  }
  return emit.call(this, event, request, ...rest);
};

/** Sockets that others opened to this process carry replies. */
const isOutgoing = (socket) => socket.server === undefined || socket.server === null;

/** One chunk, or those of a vectored write. */
function names(id, data) {
  const chunks = Array.isArray(data) ? data.map(({ chunk }) => chunk) : [data];
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  return bytes.includes(id) || (/^[0-9a-f]{24}$/.test(id) && bytes.includes(Buffer.from(id, 'hex')));
}

const write = Socket.prototype._writeGeneric;
Socket.prototype._writeGeneric = function (...args) {
  if (dieAt > 0 && isOutgoing(this) && this.remotePort !== undefined) {
    if (about === '' || writes > 0 || names(about, args[1])) writes += 1;
    if (writes >= dieAt) process.kill(process.pid, 'SIGKILL');
  }
  return write.apply(this, args);
};
