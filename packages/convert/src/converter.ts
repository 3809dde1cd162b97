// What converts objects between the versions of one definition.
import type { KubeObject } from '@instar/machinery';
import type { ConversionFailure } from './failure.ts';
import type { ConversionSource } from './source.ts';

/** Each object has its own outcome: one that cannot be converted takes no other with it. */
export type ConversionOutcome = KubeObject | ConversionFailure;

/** Needs no I/O. The object given is never changed. */
export interface InstantConverter {
  convertNow(object: KubeObject, toApiVersion: string): KubeObject;
  readonly convert?: undefined;
}

/** Has to be waited for. Never rejects. */
export interface WaitingConverter {
  readonly convertNow?: undefined;
  convert(sources: readonly ConversionSource[], toApiVersion: string): Promise<ConversionOutcome[]>;
}

export type Converter = InstantConverter | WaitingConverter;

/** Strategy None: the versions differ in nothing but their name. */
export const RELABEL: InstantConverter = {
  convertNow: (object, apiVersion) => ({ ...object, apiVersion }),
};
