/** A client that streams one reply of a chat and returns its text in order. */
export interface Candidate {
  /**
   * @param base the URL before `/chat/completions`.
   * @param text called with what arrived, or with bytes if the client reads no text.
   */
  stream(base: string, text: (text: string) => void, bytes: (bytes: Buffer) => void): Promise<void>;
}
