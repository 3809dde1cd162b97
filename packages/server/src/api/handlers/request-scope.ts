// One request about a resource, resolved: which resource and version it is about, and the services that
// answering it needs.

import type { VersionDefinition } from '../../objects/definition.ts';
import type { Waited } from '../../objects/forms/waited.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import type { WatchService } from '../../objects/watch/watch-service.ts';
import type { Admission } from '../../objects/write/write-request.ts';
import type { ApiRequest } from '../../wire/exchange.ts';

export interface Services {
  readonly registry: ResourceRegistry;
  readonly admission: Admission;
  readonly watches: WatchService;
  /** Milliseconds, as Date.now(). */
  readonly now: () => number;
  /** Told how long a request has waited for conversions, if it has. */
  readonly conversionWaited?: (resource: Resource, milliseconds: number) => void;
  /** Told of every request about a custom resource: who asks, and in which version. */
  readonly versionUsed?: (scope: RequestScope) => void;
  /** Told when a watch of a custom resource begins; what it gives back is called when the watch has ended. */
  readonly watchOpened?: (scope: RequestScope) => () => void;
}

export interface RequestScope {
  readonly request: ApiRequest;
  readonly resource: Resource;
  readonly version: VersionDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly services: Services;
  readonly waited: Waited;
}
