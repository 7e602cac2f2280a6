/** What requests need from the chat. */
export interface ChatOfRequests {
  /** False if it was deleted. */
  showConversation(id: string, requestId?: string): Promise<boolean>;
  compareCode(text: string): Promise<void>;
}
