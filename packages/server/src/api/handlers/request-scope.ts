// A request with the resource, version, namespace and name it is for, and the services that handlers need.

import type { VersionDefinition } from '../../objects/definition.ts';
import type { ConversionWait } from '../../objects/forms/conversion-wait.ts';
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
  /** Called with the time that a request has waited for conversions, if it has. */
  readonly conversionWaited?: (resource: Resource, milliseconds: number) => void;
  /** Called for every request for a custom resource, to record which client uses which version. */
  readonly versionUsed?: (scope: RequestScope) => void;
  /**
   * Called when a watch of a custom resource begins; the function it returns is called when the watch ends.
   */
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
  readonly waited: ConversionWait;
}
