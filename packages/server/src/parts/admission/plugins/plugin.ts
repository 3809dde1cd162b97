// What an admission plug-in is. Each has a file of its own in this folder; plug-ins.ts lists them.
import { type ApiError, apiErrors } from '@instar/machinery';
import type { AdmissionPlugin } from '../../../api/admission-plugins.ts';
import type { Authorizer } from '../../../api/auth/authorizer.ts';
import type { ResourceRegistry } from '../../../objects/registry.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import type { PodSecurityConfiguration } from '../pod-security/configuration.ts';

export interface PluginServices {
  readonly registry: ResourceRegistry;
  readonly authorizer: Authorizer;
  /** For the audit log. */
  readonly annotate: (operation: AdmissionOperation, key: string, value: string) => void;
  readonly podSecurity: PodSecurityConfiguration;
}

export interface PluginHooks {
  /** The resources that it looks at, as "group/plural"; without it, all. */
  readonly resources?: readonly string[];
  /** May change the object in place. Throws to deny. */
  mutate?(operation: AdmissionOperation): Promise<void> | void;
  /** Throws to deny. */
  validate?(operation: AdmissionOperation): Promise<void> | void;
}

export interface PluginDefinition {
  /** As in --enable-admission-plugins. */
  readonly name: AdmissionPlugin;
  make(services: PluginServices): PluginHooks;
}

/** "pods "p" is forbidden: …", of the object of an operation. */
export function denied({ write, object, old }: AdmissionOperation, reason: string): ApiError {
  const name =
    write.name || object?.metadata.name || old?.metadata.name || object?.metadata.generateName || '';
  return apiErrors.forbidden(write.resource.groupResource, name, reason);
}

/** True of the object itself, created or updated, not of a subresource. */
export const isWholeWrite = ({ operation, write }: AdmissionOperation): boolean =>
  operation !== 'DELETE' && write.subresource === '';

/** True of the object itself being created. */
export const isWholeCreate = ({ operation, write }: AdmissionOperation): boolean =>
  operation === 'CREATE' && write.subresource === '';
