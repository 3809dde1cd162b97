// Defaults of requests for devices, in claims and in their templates: one device.
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { objectsAt } from '../table/values.ts';

export function fillInRequests(object: JsonObject, ...path: readonly string[]): void {
  for (const request of objectsAt(object, ...path, 'devices', 'requests')) {
    const { exactly } = request;
    for (const one of [
      ...(isJsonObject(exactly) ? [exactly] : []),
      ...objectsAt(request, 'firstAvailable'),
    ]) {
      one['allocationMode'] ||= 'ExactCount';
      if (one['allocationMode'] === 'ExactCount') one['count'] ||= 1;
    }
  }
}
