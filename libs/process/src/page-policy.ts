import helmet from 'helmet';

type Directives = Readonly<Record<string, readonly string[]>>;

/** Swagger UI and the queue board use inline styles and bring fonts. */
export const STYLED_IN_PLACE: Directives = {
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'", 'data:'],
};

/**
 * The content security policy of the service's pages: they run their own files only, call this service only, and are
 * not framed.
 * @param more the directives that a page needs beyond that
 */
export function pagePolicy(more: Directives = {}): ReturnType<typeof helmet.contentSecurityPolicy> {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      ...more,
    },
  });
}
