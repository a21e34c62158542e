import { Integer, ListOf, Text } from '@commerce/platform';

/** The answer to POST /users/<id>/tokens. */
export class AccessTokenReply {
  @Text({ description: 'a JWT; sent as Authorization: Bearer …' })
  access_token: string;

  @Text({ example: 'Bearer' })
  token_type: string;

  @Integer({ description: 'seconds until it expires', example: 900 })
  expires_in: number;
}

/** One public key, as RFC 8037 writes Ed25519 keys. */
export class PublicKey {
  @Text({ example: 'OKP' })
  kty: string;

  @Text({ example: 'Ed25519' })
  crv: string;

  @Text({ example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })
  x: string;

  @Text({
    description: 'named by the header of a token',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  kid: string;

  @Text({ example: 'EdDSA' })
  alg: string;

  @Text({ example: 'sig' })
  use: string;
}

/** A JSON Web Key Set (RFC 7517). */
export class KeySetReply {
  @ListOf(() => PublicKey)
  keys: PublicKey[];
}
