// Encryption of what is stored, in the layout of kube-apiserver.
export type { EncryptionConfig, EncryptionProvider, EncryptionRule, KmsConfig, NamedKey } from './config.ts';
export { Encryption } from './encryption.ts';
