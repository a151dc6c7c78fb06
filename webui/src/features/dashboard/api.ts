import { apiSend } from "@/lib/api/api-client";
import { list, object, oneOf, optional, text, type Infer } from "@/lib/api/decode";
import { todoItems, type TodoItem } from "@/lib/member/member";

const region = object({ id: text, name: text, status: oneOf(["Active", "Partial", "Not yet"]) });

export type Region = Infer<typeof region>;

export const regionList = { path: "/regions", decode: list(region) };

const communityEvent = object({
  id: text,
  title: text,
  date: text,
  place: optional(text),
  link: optional(text),
  description: optional(text),
});

export type CommunityEvent = Infer<typeof communityEvent>;

export const eventList = { path: "/events", decode: list(communityEvent) };

export async function setTodo(id: string, completed: boolean): Promise<readonly TodoItem[]> {
  const path = `/user/todo/${encodeURIComponent(id)}`;
  return (await apiSend("PUT", path, { completed }, object({ todo: todoItems }))).todo;
}
