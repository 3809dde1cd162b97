// Reviews for tests, as API servers send them.
import type { JsonObject } from '@instar/machinery';

export function admissionReview(request: object, version: 'v1' | 'v1beta1' = 'v1'): object {
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid: 'u-1', operation: 'CREATE', userInfo: { username: 'jane' }, ...request },
  };
}

export function conversionReview(
  desiredAPIVersion: string,
  objects: readonly unknown[],
  version: 'v1' | 'v1beta1' = 'v1',
): object {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid: 'u-1', desiredAPIVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

export function cronTab(version: string, name: string, spec: object = {}, metadata: object = {}): JsonObject {
  const all = { name, namespace: 'default', uid: `uid-${name}`, ...metadata };
  return { apiVersion: `example.com/${version}`, kind: 'CronTab', metadata: all, spec } as JsonObject;
}
