// How much a config map or secret may hold, and the decoded size of base64.

export const MAX_DATA_BYTES = 1024 * 1024;

/** The number of bytes that a canonical base64 text decodes to. */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
