/**
 * Preloaded into a process. From the first request with the header `X-Die-At: n` on, it counts the writes of the
 * process that change something on another server, and kills the process, like a power cut, just before write number
 * n; nothing between two of them is visible from outside, so these deaths cover all others. With `X-Die-About: <id>`,
 * the count begins at the first write that contains this text, or this id as an ObjectId.
 */
import { Server } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';

// The process lives for seconds: optimizing its code would take a tenth of the time that it has.
setFlagsFromString('--no-opt');

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

/** The bytes of one chunk, or of those of a vectored write. */
function bytesOf(data) {
  const chunks = Array.isArray(data) ? data.map(({ chunk }) => chunk) : [data];
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
}

/** The opcode of commands in MongoDB's wire protocol, and where it and the name of the command stand in a message. */
const OP_MSG = 2013;
const OPCODE_AT = 12;
const NAME_AT = 26;

/** Commands of MongoDB that change nothing. */
const READING = new Set('find aggregate count distinct getMore hello ping endSessions'.split(' '));

/** Whether these bytes change something on the server that they go to; what is not known to only read does. */
function changes(bytes) {
  if (bytes.length <= NAME_AT || bytes.readInt32LE(0) !== bytes.length) return true;
  if (bytes.readInt32LE(OPCODE_AT) !== OP_MSG) return true;
  return !READING.has(bytes.toString('latin1', NAME_AT, bytes.indexOf(0, NAME_AT)));
}

function names(id, bytes) {
  return bytes.includes(id) || (/^[0-9a-f]{24}$/.test(id) && bytes.includes(Buffer.from(id, 'hex')));
}

const write = Socket.prototype._writeGeneric;
Socket.prototype._writeGeneric = function (...args) {
  if (dieAt > 0 && isOutgoing(this) && this.remotePort !== undefined) {
    const bytes = bytesOf(args[1]);
    if (changes(bytes) && (about === '' || writes > 0 || names(about, bytes))) writes += 1;
    if (writes >= dieAt) process.kill(process.pid, 'SIGKILL');
  }
  return write.apply(this, args);
};
