/** What requests need of the chat. */
export interface ChatOfRequests {
  /** False where it was deleted. */
  showConversation(id: string, requestId?: string): Promise<boolean>;
  stopReply(conversationId: string): Promise<void>;
  compareCode(text: string): Promise<void>;
}
