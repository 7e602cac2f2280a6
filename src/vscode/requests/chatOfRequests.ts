/** What requests need from the chat. */
export interface ChatOfRequests {
  /** False if it was deleted. */
  showConversation(id: string, requestId?: string): Promise<boolean>;
  stopReply(conversationId: string): Promise<void>;
  compareCode(text: string): Promise<void>;
}
