// The kinds that ship with the server, in the order in which discovery lists them.
import type { ResourceDefinition } from '../resource/definition.ts';
import { configMaps } from './kinds/config-map.ts';
import { leases } from './kinds/lease.ts';
import { namespaces } from './kinds/namespace.ts';
import { secrets } from './kinds/secret.ts';

export const builtinDefinitions: readonly ResourceDefinition[] = [configMaps, namespaces, secrets, leases];
