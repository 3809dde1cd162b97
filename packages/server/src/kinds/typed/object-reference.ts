// v1.ObjectReference and v1.LocalObjectReference: references to objects.
import { goStruct } from '@instar/kinds';

export const ObjectReference = goStruct('core/v1.ObjectReference');
export const LocalObjectReference = goStruct('core/v1.LocalObjectReference');
