// Which forms of an answer each kind of endpoint can give.
import type { NegotiationRules } from '../http/negotiate.ts';

export const ONE_OBJECT: NegotiationRules = { shapes: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] };
export const COLLECTION: NegotiationRules = { shapes: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] };
export const WATCH: NegotiationRules = { shapes: ['Table', 'PartialObjectMetadata'], stream: true };
