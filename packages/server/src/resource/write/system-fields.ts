// The metadata that only the server decides.

import { randomUUID } from 'node:crypto';
import { apiErrors, type KubeObject } from '@instar/machinery';

/** RFC 3339 in whole seconds, as metav1.Time. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

export function wipeSystemFields({ metadata }: KubeObject): void {
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.uid;
  delete metadata.selfLink;
  delete metadata.generation;
}

export function fillSystemFields({ metadata }: KubeObject, now: number): void {
  metadata.creationTimestamp = timestamp(now);
  metadata.uid = randomUUID();
}

/** The namespace of the request wins where the object says nothing; a different one is an error. */
export function matchNamespace({ metadata }: KubeObject, namespace: string, namespaced: boolean): void {
  if (!namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw apiErrors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}
