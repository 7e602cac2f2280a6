/** A client that streams one reply of a chat and gives its text in the order in which it came. */
export interface Candidate {
  /** @param base the address that stands before `/chat/completions`. @param text what came, or bytes where it reads no text. */
  stream(base: string, text: (text: string) => void, bytes: (bytes: Buffer) => void): Promise<void>;
}
