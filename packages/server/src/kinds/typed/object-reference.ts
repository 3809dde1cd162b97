// v1.ObjectReference: a reference to an object.

import { goStruct } from '@instar/kinds';

export const ObjectReference = goStruct('core/v1.ObjectReference');
