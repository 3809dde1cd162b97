// The types that requests and responses of all kinds use. Their protobuf messages are registered with the
// first kind.

import { goStruct, type StructType, struct } from '@instar/kinds';
import { registerForAnyVersion, registerMessage } from '../../wire/protobuf/kinds.ts';
import { listMessage, messageOf } from './protobuf-of.ts';

export const ListMeta = goStruct('meta/v1.ListMeta');
export const Status = goStruct('meta/v1.Status');
export const DeleteOptions = goStruct('meta/v1.DeleteOptions');
export const Scale = goStruct('autoscaling/v1.Scale');

/** A patch has one of several formats, by its media type. */
export const Patch = struct(
  'v1.Patch',
  'A change to an object, in the form that the media type of the request says.',
  {},
);

registerMessage('v1', 'Status', messageOf(Status));
registerForAnyVersion('DeleteOptions', messageOf(DeleteOptions));
registerMessage('autoscaling/v1', 'Scale', messageOf(Scale));
for (const apiVersion of ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'])
  registerListed(apiVersion, 'PartialObjectMetadata', goStruct('meta/v1.PartialObjectMetadata'));

/** A kind and lists of it, in protobuf. */
export function registerListed(apiVersion: string, kind: string, type: StructType): void {
  registerType(apiVersion, kind, type);
  registerMessage(apiVersion, `${kind}List`, listMessage(messageOf(type), messageOf(ListMeta)));
}

/** A kind that is only posted, in protobuf. */
export function registerType(apiVersion: string, kind: string, type: StructType): void {
  registerMessage(apiVersion, kind, messageOf(type));
}
