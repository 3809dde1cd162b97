// What is encrypted, and how: an EncryptionConfiguration that was read and validated.

/** A key by its name, which is stored with what it encrypts. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

/** A service that encrypts keys, reached by gRPC over a unix socket. */
export interface KmsConfig {
  readonly name: string;
  /** The path of the socket; abstract ones begin with @. */
  readonly socket: string;
  readonly timeoutMs: number;
}

/** One way to encrypt; of several keys the first one writes. */
export type EncryptionProvider =
  | { readonly type: 'aesgcm' | 'aescbc' | 'secretbox'; readonly keys: readonly NamedKey[] }
  | { readonly type: 'kms'; readonly kms: KmsConfig }
  | { readonly type: 'identity' };

/** How some resources are encrypted; of several providers the first one writes. */
export interface EncryptionRule {
  /** `*` stands for all of a group, or for all groups. */
  readonly resources: readonly { readonly group: string; readonly resource: string }[];
  readonly providers: readonly EncryptionProvider[];
}

/** Rules in their order. */
export type EncryptionConfig = readonly EncryptionRule[];
