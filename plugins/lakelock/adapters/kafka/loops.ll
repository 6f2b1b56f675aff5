; Loops over librdkafka's messages in memory: no Python object is made of a message. loops.py compiles and explains them.
;
; rd_kafka_message_t of rdkafka.h:
;   0 err, 1 rkt, 2 partition, 3 payload, 4 len, 5 key, 6 key_len, 7 offset, 8 _private

%message = type { i32, ptr, i32, ptr, i64, ptr, i64, i64, ptr }

; Note and Notes of librdkafka.py
%note = type { i32, [508 x i8] }
%notes = type { i64, [16 x %note] }
@empty = private constant [1 x i8] zeroinitializer

declare ptr @strncpy(ptr, ptr, i64)
declare i64 @strlen(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; count = consume(queue, timeout_ms, messages, most); messages[count:most] = 0: librdkafka leaves addresses there of messages that
; it has ended itself
define i64 @receive(ptr %messages, i64 %most, ptr %consume, ptr %queue, i32 %timeout_ms) {
  %result = call i64 %consume(ptr %queue, i32 %timeout_ms, ptr %messages, i64 %most)
  %failed = icmp slt i64 %result, 0
  %count = select i1 %failed, i64 0, i64 %result
  %rest = getelementptr ptr, ptr %messages, i64 %count
  %left = sub i64 %most, %count
  %bytes = mul i64 %left, 8
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 %bytes, i1 false)
  ret i64 %result
}

; What rd_kafka_conf_set_error_cb wants: notes.noted[min(notes.count++, 15)] = code, reason
define void @note(ptr %client, i32 %code, ptr %reason, ptr %notes) {
  %count = load i64, ptr %notes
  %more = add i64 %count, 1
  store i64 %more, ptr %notes
  %index = call i64 @llvm.umin.i64(i64 %count, i64 15)
  %code_out = getelementptr %notes, ptr %notes, i64 0, i32 1, i64 %index, i32 0
  store i32 %code, ptr %code_out
  %reason_out = getelementptr %notes, ptr %notes, i64 0, i32 1, i64 %index, i32 1
  %is_absent = icmp eq ptr %reason, null
  %text = select i1 %is_absent, ptr @empty, ptr %reason
  call ptr @strncpy(ptr %reason_out, ptr %text, i64 507)
  ret void
}

; for i in range(count): codes[i], partitions[i], … = messages[i].err, messages[i].partition, …
define void @look(ptr %messages, i64 %count, ptr %timestamp_of, ptr %codes, ptr %partitions, ptr %offsets, ptr %timestamps_ms) {
before:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %each ]
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place

  %code_in = getelementptr %message, ptr %message, i64 0, i32 0
  %code = load i32, ptr %code_in
  %code_out = getelementptr i32, ptr %codes, i64 %i
  store i32 %code, ptr %code_out

  %partition_in = getelementptr %message, ptr %message, i64 0, i32 2
  %partition = load i32, ptr %partition_in
  %partition_out = getelementptr i32, ptr %partitions, i64 %i
  store i32 %partition, ptr %partition_out

  %offset_in = getelementptr %message, ptr %message, i64 0, i32 7
  %offset = load i64, ptr %offset_in
  %offset_out = getelementptr i64, ptr %offsets, i64 %i
  store i64 %offset, ptr %offset_out

  %timestamp = call i64 %timestamp_of(ptr %message, ptr null)
  %timestamp_out = getelementptr i64, ptr %timestamps_ms, i64 %i
  store i64 %timestamp, ptr %timestamp_out

  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}

; for i in range(count): sizes[i] = messages[i].field_len, or -1 without a field
;
; field is the offset of payload or key in a message; its length is behind it
define void @measure(ptr %messages, i64 %count, i64 %field, ptr %sizes) {
before:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %each ]
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place
  %field_in = getelementptr i8, ptr %message, i64 %field
  %bytes = load ptr, ptr %field_in
  %is_absent = icmp eq ptr %bytes, null
  %length_in = getelementptr i8, ptr %field_in, i64 8
  %length = load i64, ptr %length_in
  %size = select i1 %is_absent, i64 -1, i64 %length
  %size_out = getelementptr i64, ptr %sizes, i64 %i
  store i64 %size, ptr %size_out

  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}

; for i in range(count): buffer[bounds[i] : bounds[i + 1]] = messages[i].field + "\n"
define void @copy(ptr %messages, i64 %count, i64 %field, ptr %buffer, ptr %bounds) {
before:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %each ]
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place
  %field_in = getelementptr i8, ptr %message, i64 %field
  %bytes = load ptr, ptr %field_in

  %next = add i64 %i, 1
  %start_in = getelementptr i64, ptr %bounds, i64 %i
  %start = load i64, ptr %start_in
  %end_in = getelementptr i64, ptr %bounds, i64 %next
  %end = load i64, ptr %end_in
  %break = sub i64 %end, 1
  %size = sub i64 %break, %start
  %to = getelementptr i8, ptr %buffer, i64 %start
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %bytes, i64 %size, i1 false)
  %break_out = getelementptr i8, ptr %buffer, i64 %break
  store i8 10, ptr %break_out

  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}

; for i in range(count): types[i] = type of the timestamp of messages[i], or 0 if that is below zero
define void @type_timestamps(ptr %messages, i64 %count, ptr %timestamp_of, ptr %types) {
before:
  %type_at = alloca i32
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %each ]
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place
  %timestamp = call i64 %timestamp_of(ptr %message, ptr %type_at)
  %found = load i32, ptr %type_at
  %is_absent = icmp slt i64 %timestamp, 0
  %type = select i1 %is_absent, i32 0, i32 %found
  %type_out = getelementptr i32, ptr %types, i64 %i
  store i32 %type, ptr %type_out

  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}

; for i in range(count):
;   counts[i] = len(messages[i].headers), or -1 if they cannot be read
;   for name, value in messages[i].headers: sizes[0] += len(name); sizes[1] += len(value)
;
; -156 is RD_KAFKA_RESP_ERR__NOENT: the message has no headers
define void @count_headers(ptr %messages, i64 %count, ptr %headers_of, ptr %header_of, ptr %counts, ptr %sizes) {
before:
  %headers_at = alloca ptr
  %name_at = alloca ptr
  %value_at = alloca ptr
  %size_at = alloca i64
  %values_at = getelementptr i64, ptr %sizes, i64 1
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %after ]
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place
  %code = call i32 %headers_of(ptr %message, ptr %headers_at)
  %headers = load ptr, ptr %headers_at
  %is_read = icmp eq i32 %code, 0
  br i1 %is_read, label %one, label %unread

unread:
  %is_absent = icmp eq i32 %code, -156
  %why = select i1 %is_absent, i64 0, i64 -1
  br label %after

one:
  %n = phi i64 [ 0, %each ], [ %following, %header ]
  %end = call i32 %header_of(ptr %headers, i64 %n, ptr %name_at, ptr %value_at, ptr %size_at)
  %is_end = icmp ne i32 %end, 0
  br i1 %is_end, label %after, label %header

header:
  %name = load ptr, ptr %name_at
  %name_size = call i64 @strlen(ptr %name)
  %names_before = load i64, ptr %sizes
  %names_now = add i64 %names_before, %name_size
  store i64 %names_now, ptr %sizes

  %value = load ptr, ptr %value_at
  %length = load i64, ptr %size_at
  %is_null = icmp eq ptr %value, null
  %size = select i1 %is_null, i64 0, i64 %length
  %values_before = load i64, ptr %values_at
  %values_now = add i64 %values_before, %size
  store i64 %values_now, ptr %values_at

  %following = add i64 %n, 1
  br label %one

after:
  %found = phi i64 [ %why, %unread ], [ %n, %one ]
  %count_out = getelementptr i64, ptr %counts, i64 %i
  store i64 %found, ptr %count_out

  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}

; h = 0
; for i in range(count):
;   for n in range(counts[i]):
;     name, value = messages[i].headers[n]
;     names[name_bounds[h] : name_bounds[h + 1]] = name
;     values[value_bounds[h] : value_bounds[h + 1]] = value
;     absent[h] = value is None
;     h += 1
define void @copy_headers(ptr %messages, i64 %count, ptr %headers_of, ptr %header_of, ptr %counts, ptr %names, ptr %name_bounds, ptr %values, ptr %value_bounds, ptr %absent) {
before:
  %headers_at = alloca ptr
  %name_at = alloca ptr
  %value_at = alloca ptr
  %size_at = alloca i64
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %after ]
  %h_first = phi i64 [ 0, %before ], [ %h_end, %after ]
  %count_in = getelementptr i64, ptr %counts, i64 %i
  %here = load i64, ptr %count_in
  %has_headers = icmp sgt i64 %here, 0
  br i1 %has_headers, label %one, label %after

one:
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place
  call i32 %headers_of(ptr %message, ptr %headers_at)
  %headers = load ptr, ptr %headers_at
  br label %header

header:
  %n = phi i64 [ 0, %one ], [ %following, %header ]
  %h = phi i64 [ %h_first, %one ], [ %h_next, %header ]
  %h_next = add i64 %h, 1
  call i32 %header_of(ptr %headers, i64 %n, ptr %name_at, ptr %value_at, ptr %size_at)

  %name = load ptr, ptr %name_at
  %name_size = call i64 @strlen(ptr %name)
  %name_start_in = getelementptr i64, ptr %name_bounds, i64 %h
  %name_start = load i64, ptr %name_start_in
  %name_to = getelementptr i8, ptr %names, i64 %name_start
  call void @llvm.memcpy.p0.p0.i64(ptr %name_to, ptr %name, i64 %name_size, i1 false)
  %name_end = add i64 %name_start, %name_size
  %name_end_out = getelementptr i64, ptr %name_bounds, i64 %h_next
  store i64 %name_end, ptr %name_end_out

  %value = load ptr, ptr %value_at
  %length = load i64, ptr %size_at
  %is_null = icmp eq ptr %value, null
  %size = select i1 %is_null, i64 0, i64 %length
  %value_start_in = getelementptr i64, ptr %value_bounds, i64 %h
  %value_start = load i64, ptr %value_start_in
  %value_to = getelementptr i8, ptr %values, i64 %value_start
  call void @llvm.memcpy.p0.p0.i64(ptr %value_to, ptr %value, i64 %size, i1 false)
  %value_end = add i64 %value_start, %size
  %value_end_out = getelementptr i64, ptr %value_bounds, i64 %h_next
  store i64 %value_end, ptr %value_end_out

  %flag = zext i1 %is_null to i8
  %absent_out = getelementptr i8, ptr %absent, i64 %h
  store i8 %flag, ptr %absent_out

  %following = add i64 %n, 1
  %more_headers = icmp ult i64 %following, %here
  br i1 %more_headers, label %header, label %after

after:
  %h_end = phi i64 [ %h_first, %each ], [ %h_next, %header ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}

; for i in range(count): if messages[i]: destroy(messages[i]); messages[i] = 0
define void @release(ptr %messages, i64 %count, ptr %destroy) {
before:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %before ], [ %next, %after ]
  %place = getelementptr ptr, ptr %messages, i64 %i
  %message = load ptr, ptr %place
  %is_no_message = icmp eq ptr %message, null
  br i1 %is_no_message, label %after, label %one

one:
  store ptr null, ptr %place
  call void %destroy(ptr %message)
  br label %after

after:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %each, label %done

done:
  ret void
}
