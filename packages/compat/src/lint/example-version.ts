// The version that examples of lint rules start from.

export const V1 = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
};
