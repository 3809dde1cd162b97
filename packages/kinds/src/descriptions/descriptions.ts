/** By type and field; the empty field is the type itself. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;
