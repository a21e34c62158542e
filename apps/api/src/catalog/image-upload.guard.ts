import type { Readable } from 'node:stream';

import {
  HttpException,
  Injectable,
  createParamDecorator,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { Fault, fault, fieldFault, isFault, type FieldError } from '@commerce/kernel';
import { Images, MAX_IMAGE_BYTES, type StoredContent, type Upload } from '@commerce/catalog';
import type { Caller } from '@commerce/data';
import type { Request } from 'express';
import { EMPTY } from 'rxjs';

import type { ServiceRequest } from '../http/service-request.js';
import { UploadLimiter } from './upload-limiter.js';

const FIELD = 'file';

/** Leaves room for the multipart boundaries and headers around the file. */
const MAX_BODY_BYTES = MAX_IMAGE_BYTES + 64 * 1024;

const NOTHING: CallHandler = { handle: () => EMPTY };

/** The metadata of a file in the storage below. */
interface StoredFile extends StoredContent {
  readonly originalname: string;
}

/** The storage interface of the multipart parser, which ships no types. */
interface Storage {
  _handleFile(
    request: Request,
    file: { readonly stream: Readable },
    done: (error: unknown, stored?: StoredContent) => void,
  ): void;
  _removeFile(request: Request, file: StoredContent, done: (error: unknown) => void): void;
}

interface UploadRequest extends ServiceRequest {
  file?: StoredFile;
  upload?: Upload;
}

/**
 * Streams the one file of a multipart body into the database. It is a guard because guards run after authentication, so
 * strangers cannot make the service read megabytes, and before the idempotency interceptor, which compares bodies and
 * needs them read.
 */
@Injectable()
export class ImageUploadGuard implements CanActivate {
  private readonly multipart: NestInterceptor;

  constructor(
    private readonly images: Images,
    private readonly slots: UploadLimiter,
  ) {
    const Multipart = FileInterceptor(FIELD, {
      limits: { fileSize: MAX_IMAGE_BYTES, fields: 20, fieldSize: 1024, parts: 25 },
      defParamCharset: 'utf8',
      storage: this.storage(),
    });
    this.multipart = new Multipart();
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<UploadRequest>();
    if (request.headers['content-type'] !== undefined && request.is('multipart/form-data') === false) {
      throw fault('media_type.unsupported', 'Images must be sent as multipart/form-data');
    }
    // Refused before reading; a body of unknown length is refused while it is read.
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
    await this.slots.during(callerOf(request).company, () => this.read(context, request));
    return true;
  }

  private async read(context: ExecutionContext, request: UploadRequest): Promise<void> {
    try {
      await this.multipart.intercept(context, NOTHING);
    } catch (error) {
      throw refusalOf(error, request);
    }
    try {
      request.upload = readUpload(request);
    } catch (error) {
      if (request.file) await this.images.drop(callerOf(request), request.file.content);
      throw error;
    }
    request.rawBody = Buffer.from(JSON.stringify([request.upload.name, request.upload.digest]));
  }

  /** Stores the parsed file, and removes it again when the rest of the body is refused. */
  private storage(): Storage {
    return {
      _handleFile: (request, file, done) => {
        this.images.receive(callerOf(request as UploadRequest), file.stream).then(
          (stored) => done(null, stored),
          (error: unknown) => done(error),
        );
      },
      _removeFile: (request, file, done) => {
        this.images.drop(callerOf(request as UploadRequest), file.content).then(() => done(null), done);
      },
    };
  }
}

function callerOf({ caller }: ServiceRequest): Caller {
  if (!caller) throw new Error('an upload comes from somebody');
  return caller;
}

/** The file that ImageUploadGuard stored. */
export const Uploaded = createParamDecorator((_: undefined, context: ExecutionContext): Upload => {
  const { upload } = context.switchToHttp().getRequest<UploadRequest>();
  if (!upload) throw new Error('a route without ImageUploadGuard asks for an upload');
  return upload;
});

function readUpload(request: UploadRequest): Upload {
  const fields = Object.keys((request.body as object | undefined) ?? {});
  const errors = fields.map((field): FieldError => {
    if (field !== FIELD) return unknownField(field);
    return { path: FIELD, code: 'value.invalid', message: `${FIELD} must be a file` };
  });
  const { file } = request;
  if (file === undefined && !fields.includes(FIELD)) {
    errors.push({ path: FIELD, code: 'value.invalid', message: `${FIELD} is required, as a file` });
  }
  if (errors[0] || !file) throw new Fault('value.invalid', errors[0]?.message ?? '', { errors });
  const { originalname: name, content, size, digest } = file;
  return { name, content, size, digest };
}

/** Translates an error of the multipart parser into a fault. */
function refusalOf(thrown: unknown, request: UploadRequest): unknown {
  if (isFault(thrown)) return thrown;
  const { code, field } = causeOf(thrown);
  switch (code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge();
    case 'LIMIT_UNEXPECTED_FILE': {
      if (field === FIELD) return fieldFault(FIELD, `${FIELD} must be given once`);
      const error = unknownField(String(field));
      return new Fault('value.invalid', error.message, { errors: [error] });
    }
    default:
      // Any other error in the body, or a body that ends too early, is the caller's mistake.
      if (thrown instanceof HttpException || request.destroyed) {
        return fault('body.malformed', 'The body is not a well-formed multipart/form-data body');
      }
      return thrown;
  }
}

function causeOf(thrown: unknown): { code?: unknown; field?: unknown } {
  return thrown instanceof HttpException ? ((thrown.cause as object | undefined) ?? {}) : {};
}

function tooLarge(): Fault {
  return fault('body.too_large', 'An image can have at most 10 MiB');
}

function unknownField(path: string): FieldError {
  return { path, code: 'field.unknown', message: `${path} is not a field of this request` };
}
