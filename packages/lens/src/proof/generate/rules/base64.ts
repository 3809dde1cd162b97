// Base64 of ASCII text; this room has neither Buffer nor btoa.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function base64Of(text: string): string {
  let encoded = '';
  for (let index = 0; index < text.length; index += 3) {
    const bytes = [0, 1, 2].map((offset) => text.charCodeAt(index + offset) & 0xff || 0);
    const bits = (bytes[0]! << 16) | (bytes[1]! << 8) | bytes[2]!;
    const digits = [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]!).join('');
    const padding = Math.max(0, index + 3 - text.length);
    encoded += digits.slice(0, 4 - padding) + '='.repeat(padding);
  }
  return encoded;
}
