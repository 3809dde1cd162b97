// Whether a description says that an enum is open for new values. There is no keyword for it, so this
// searches for the words that authors use.

const OPEN_PHRASES = [
  /\b(more|new|additional|other|further|extra)\b[^.]{0,60}\b(values?|types?|options?|kinds?|modes?|states?|reasons?|ones)\b[^.]{0,40}\b(may|might|can|could|will|must)\b[^.]{0,40}\b(be )?(added|extended|expanded|introduced|supported|appear|occur|tolerated)\b/i,
  /\b(values?|enum(eration)?|list of (values|types|options|kinds))\b[^.]{0,60}\b(may|might|can|could|will)\b[^.]{0,30}\b(be )?(added|extended|expanded|grow)\b/i,
  /\bopen (for|to) (changes?|new|additional|more|other|extension|expansion)\b/i,
  /\bopen[- ]ended\b/i,
  /\b(must|should)\b[^.]{0,80}\b(handle|tolerate|ignore|accept|be prepared for)\b[^.]{0,40}\b(unknown|unrecogni[sz]ed|other|new|unexpected)\b/i,
  /\bunknown values?\b[^.]{0,60}\b(must|should|will|are|is|may)\b/i,
];

export function isDeclaredOpen(description: string | undefined): boolean {
  if (description === undefined) return false;
  const text = description.slice(0, 2000).replace(/\s+/g, ' ');
  return OPEN_PHRASES.some((pattern) => pattern.test(text));
}
