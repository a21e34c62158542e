import { Integer, ListOf, Text } from '@commerce/records';

/** The reply to POST /users/<id>/tokens. */
export class AccessTokenReply {
  @Text({ description: 'a JWT; sent as Authorization: Bearer …' })
  access_token: string;

  @Text({ example: 'Bearer', description: 'how it is sent: `Authorization: Bearer <access_token>`' })
  token_type: string;

  @Integer({ description: 'seconds until it expires', example: 900 })
  expires_in: number;
}

/** One public key in the notation of RFC 8037 for Ed25519 keys. */
export class PublicKey {
  @Text({ example: 'OKP', description: 'key type (RFC 7517)' })
  kty: string;

  @Text({ example: 'Ed25519', description: 'curve (RFC 8037)' })
  crv: string;

  @Text({ example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', description: 'the public key, base64url' })
  x: string;

  @Text({
    description: 'named by the header of a token',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  kid: string;

  @Text({ example: 'EdDSA', description: 'algorithm of the signatures' })
  alg: string;

  @Text({ example: 'sig', description: 'what the key is for: sig, signatures' })
  use: string;
}

/** A JSON Web Key Set (RFC 7517). */
export class KeySetReply {
  @ListOf(() => PublicKey, {
    description: 'all keys by which tokens that are valid now may be signed, the newest first',
  })
  keys: PublicKey[];
}
