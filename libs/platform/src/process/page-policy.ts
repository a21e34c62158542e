import helmet from 'helmet';

/**
 * The pages of the service load nothing from elsewhere and are not framed. Swagger UI and the queue board style their
 * elements in place.
 * @param baseUri where a `<base>` of the page may lead
 */
export function pagePolicy(baseUri: "'none'" | "'self'"): ReturnType<typeof helmet.contentSecurityPolicy> {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: [baseUri],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
}
