; Made of reader.c by `python -m native`; SHA-256 of that file and what it includes:
; 1ea0b2773215a21d9f0a42e20af44e5de5a5bc148b0f53a62911092b34f3c256

%struct.column = type { i64, ptr, ptr, ptr, i64, i64, i64, i64, double, i64, i64 }
%struct.node = type { ptr, i64, i64, i64, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"null\00", align 1
@.str.1 = private constant [5 x i8] c"true\00", align 1
@.str.2 = private constant [6 x i8] c"false\00", align 1

define i64 @read_records(ptr %0, i64 %1) {
  %3 = getelementptr inbounds i8, ptr %0, i64 72
  %4 = load i64, ptr %3, align 8
  %5 = icmp slt i64 %1, %4
  br i1 %5, label %6, label %159

6:                                                ; preds = %2
  %7 = getelementptr inbounds i8, ptr %0, i64 96
  %8 = getelementptr inbounds i8, ptr %0, i64 48
  %9 = getelementptr inbounds i8, ptr %0, i64 88
  %10 = getelementptr inbounds i8, ptr %0, i64 64
  %11 = getelementptr inbounds i8, ptr %0, i64 80
  %12 = getelementptr inbounds i8, ptr %0, i64 128
  %13 = getelementptr inbounds i8, ptr %0, i64 120
  %14 = getelementptr inbounds i8, ptr %0, i64 16
  %15 = getelementptr inbounds i8, ptr %0, i64 8
  %16 = getelementptr inbounds i8, ptr %0, i64 112
  %17 = getelementptr inbounds i8, ptr %0, i64 104
  br label %18

18:                                               ; preds = %6, %155
  %19 = phi i64 [ %1, %6 ], [ %156, %155 ]
  %20 = load ptr, ptr %7, align 8
  %21 = getelementptr inbounds i8, ptr %20, i64 %19
  %22 = load i8, ptr %21, align 1
  %23 = icmp eq i8 %22, 0
  br i1 %23, label %24, label %155

24:                                               ; preds = %18
  %25 = load ptr, ptr %8, align 8
  %26 = load ptr, ptr %9, align 8
  %27 = getelementptr inbounds i64, ptr %26, i64 %19
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr i8, ptr %27, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = add i64 %30, -1
  %32 = sub i64 %31, %28
  %33 = load i64, ptr %10, align 8
  %34 = icmp sgt i64 %32, %33
  br i1 %34, label %124, label %35

35:                                               ; preds = %24
  %36 = load ptr, ptr %11, align 8
  store i64 0, ptr %12, align 8
  %37 = load i64, ptr %13, align 8
  %38 = add i64 %37, 1
  store i64 %38, ptr %13, align 8
  %39 = icmp slt i64 %28, %31
  br i1 %39, label %40, label %47

40:                                               ; preds = %35, %44
  %41 = phi i64 [ %45, %44 ], [ %28, %35 ]
  %42 = getelementptr inbounds i8, ptr %36, i64 %41
  %43 = load i8, ptr %42, align 1
  switch i8 %43, label %47 [
    i8 32, label %44
    i8 13, label %44
    i8 9, label %44
    i8 10, label %44
  ]

44:                                               ; preds = %40, %40, %40, %40
  %45 = add i64 %41, 1
  %46 = icmp eq i64 %45, %31
  br i1 %46, label %124, label %40

47:                                               ; preds = %40, %35
  %48 = phi i64 [ %28, %35 ], [ %41, %40 ]
  %49 = icmp slt i64 %48, %31
  br i1 %49, label %50, label %124

50:                                               ; preds = %47
  %51 = getelementptr inbounds i8, ptr %36, i64 %48
  %52 = load i8, ptr %51, align 1
  %53 = icmp eq i8 %52, 123
  br i1 %53, label %54, label %124

54:                                               ; preds = %50
  %55 = add i64 %48, 1
  %56 = call fastcc i64 @fields_of(ptr %0, ptr %36, i64 %55, i64 %31, i64 0)
  %57 = icmp slt i64 %56, 0
  br i1 %57, label %124, label %58

58:                                               ; preds = %54
  %59 = icmp slt i64 %56, %31
  br i1 %59, label %60, label %67

60:                                               ; preds = %58, %64
  %61 = phi i64 [ %65, %64 ], [ %56, %58 ]
  %62 = getelementptr inbounds i8, ptr %36, i64 %61
  %63 = load i8, ptr %62, align 1
  switch i8 %63, label %67 [
    i8 32, label %64
    i8 13, label %64
    i8 9, label %64
    i8 10, label %64
  ]

64:                                               ; preds = %60, %60, %60, %60
  %65 = add i64 %61, 1
  %66 = icmp eq i64 %65, %31
  br i1 %66, label %70, label %60

67:                                               ; preds = %60, %58
  %68 = phi i64 [ %56, %58 ], [ %61, %60 ]
  %69 = icmp eq i64 %68, %31
  br i1 %69, label %70, label %124

70:                                               ; preds = %64, %67
  %71 = load i64, ptr %12, align 8
  %72 = load i64, ptr %14, align 8
  %73 = icmp ne i64 %71, %72
  %74 = icmp sgt i64 %72, 0
  %75 = and i1 %73, %74
  br i1 %75, label %76, label %128

76:                                               ; preds = %70, %120
  %77 = phi i64 [ %121, %120 ], [ 0, %70 ]
  %78 = load ptr, ptr %15, align 8
  %79 = getelementptr inbounds %struct.column, ptr %78, i64 %77
  %80 = getelementptr inbounds i8, ptr %79, i64 80
  %81 = load i64, ptr %80, align 8
  %82 = load i64, ptr %13, align 8
  %83 = icmp eq i64 %81, %82
  br i1 %83, label %120, label %84

84:                                               ; preds = %76
  %85 = getelementptr inbounds i8, ptr %79, i64 72
  %86 = load i64, ptr %85, align 8
  %87 = icmp eq i64 %86, 0
  br i1 %87, label %88, label %124

88:                                               ; preds = %84
  %89 = getelementptr inbounds i8, ptr %79, i64 24
  %90 = load ptr, ptr %89, align 8
  %91 = load i64, ptr %16, align 8
  %92 = getelementptr inbounds i8, ptr %90, i64 %91
  store i8 0, ptr %92, align 1
  %93 = load i64, ptr %79, align 8
  switch i64 %93, label %114 [
    i64 4, label %94
    i64 3, label %103
    i64 5, label %108
    i64 0, label %120
  ]

94:                                               ; preds = %88
  %95 = getelementptr inbounds i8, ptr %79, i64 40
  %96 = load i64, ptr %95, align 8
  %97 = trunc i64 %96 to i32
  %98 = getelementptr inbounds i8, ptr %79, i64 16
  %99 = load ptr, ptr %98, align 8
  %100 = load i64, ptr %16, align 8
  %101 = getelementptr i32, ptr %99, i64 %100
  %102 = getelementptr i8, ptr %101, i64 4
  store i32 %97, ptr %102, align 4
  br label %120

103:                                              ; preds = %88
  %104 = getelementptr inbounds i8, ptr %79, i64 8
  %105 = load ptr, ptr %104, align 8
  %106 = load i64, ptr %16, align 8
  %107 = getelementptr inbounds i8, ptr %105, i64 %106
  store i8 0, ptr %107, align 1
  br label %120

108:                                              ; preds = %88
  %109 = getelementptr inbounds i8, ptr %79, i64 8
  %110 = load ptr, ptr %109, align 8
  %111 = load i64, ptr %16, align 8
  %112 = shl i64 %111, 4
  %113 = getelementptr inbounds i8, ptr %110, i64 %112
  call void @llvm.memset.p0.i64(ptr align 1 %113, i8 0, i64 16, i1 false)
  br label %120

114:                                              ; preds = %88
  %115 = getelementptr inbounds i8, ptr %79, i64 8
  %116 = load ptr, ptr %115, align 8
  %117 = load i64, ptr %16, align 8
  %118 = shl i64 %117, 3
  %119 = getelementptr inbounds i8, ptr %116, i64 %118
  store i64 0, ptr %119, align 1
  br label %120

120:                                              ; preds = %114, %108, %103, %94, %88, %76
  %121 = add i64 %77, 1
  %122 = load i64, ptr %14, align 8
  %123 = icmp slt i64 %121, %122
  br i1 %123, label %76, label %128

124:                                              ; preds = %44, %84, %67, %54, %50, %47, %24
  %125 = phi i64 [ -1, %24 ], [ -1, %50 ], [ -1, %47 ], [ %56, %54 ], [ -1, %67 ], [ -1, %84 ], [ -1, %44 ]
  store ptr %25, ptr %8, align 8
  %126 = load i64, ptr %14, align 8
  %127 = icmp sgt i64 %126, 0
  br i1 %127, label %135, label %133

128:                                              ; preds = %120, %70
  store ptr %25, ptr %8, align 8
  %129 = load ptr, ptr %17, align 8
  %130 = getelementptr inbounds i8, ptr %129, i64 %19
  store i8 1, ptr %130, align 1
  %131 = load i64, ptr %16, align 8
  %132 = add i64 %131, 1
  store i64 %132, ptr %16, align 8
  br label %155

133:                                              ; preds = %151, %124
  %134 = icmp eq i64 %125, -2
  br i1 %134, label %159, label %155

135:                                              ; preds = %124, %151
  %136 = phi i64 [ %152, %151 ], [ %126, %124 ]
  %137 = phi i64 [ %153, %151 ], [ 0, %124 ]
  %138 = load ptr, ptr %15, align 8
  %139 = getelementptr inbounds %struct.column, ptr %138, i64 %137
  %140 = load i64, ptr %139, align 8
  %141 = icmp eq i64 %140, 4
  br i1 %141, label %142, label %151

142:                                              ; preds = %135
  %143 = getelementptr inbounds i8, ptr %139, i64 16
  %144 = load ptr, ptr %143, align 8
  %145 = load i64, ptr %16, align 8
  %146 = getelementptr inbounds i32, ptr %144, i64 %145
  %147 = load i32, ptr %146, align 4
  %148 = sext i32 %147 to i64
  %149 = getelementptr inbounds i8, ptr %139, i64 40
  store i64 %148, ptr %149, align 8
  %150 = load i64, ptr %14, align 8
  br label %151

151:                                              ; preds = %135, %142
  %152 = phi i64 [ %136, %135 ], [ %150, %142 ]
  %153 = add i64 %137, 1
  %154 = icmp slt i64 %153, %152
  br i1 %154, label %135, label %133

155:                                              ; preds = %128, %133, %18
  %156 = add i64 %19, 1
  %157 = load i64, ptr %3, align 8
  %158 = icmp slt i64 %156, %157
  br i1 %158, label %18, label %159

159:                                              ; preds = %133, %155, %2
  %160 = phi i64 [ %4, %2 ], [ %19, %133 ], [ %157, %155 ]
  ret i64 %160
}

define internal fastcc i64 @fields_of(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) {
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds %struct.node, ptr %9, i64 %4
  %11 = getelementptr inbounds i8, ptr %10, i64 56
  %12 = icmp slt i64 %2, %3
  br i1 %12, label %13, label %20

13:                                               ; preds = %5, %17
  %14 = phi i64 [ %18, %17 ], [ %2, %5 ]
  %15 = getelementptr inbounds i8, ptr %1, i64 %14
  %16 = load i8, ptr %15, align 1
  switch i8 %16, label %20 [
    i8 32, label %17
    i8 13, label %17
    i8 9, label %17
    i8 10, label %17
  ]

17:                                               ; preds = %13, %13, %13, %13
  %18 = add i64 %14, 1
  %19 = icmp eq i64 %18, %3
  br i1 %19, label %680, label %13

20:                                               ; preds = %13, %5
  %21 = phi i64 [ %2, %5 ], [ %14, %13 ]
  %22 = icmp slt i64 %21, %3
  br i1 %22, label %23, label %29

23:                                               ; preds = %20
  %24 = getelementptr inbounds i8, ptr %1, i64 %21
  %25 = load i8, ptr %24, align 1
  %26 = icmp eq i8 %25, 125
  br i1 %26, label %27, label %29

27:                                               ; preds = %23
  %28 = add i64 %21, 1
  br label %680

29:                                               ; preds = %23, %20
  %30 = icmp slt i64 %21, %3
  br i1 %30, label %31, label %680

31:                                               ; preds = %29
  %32 = trunc i64 %4 to i32
  %33 = xor i32 %32, -2128831035
  %34 = getelementptr inbounds i8, ptr %0, i64 32
  %35 = getelementptr inbounds i8, ptr %0, i64 24
  %36 = getelementptr inbounds i8, ptr %0, i64 56
  br label %37

37:                                               ; preds = %31, %677
  %38 = phi i64 [ %21, %31 ], [ %678, %677 ]
  %39 = phi ptr [ %11, %31 ], [ %243, %677 ]
  %40 = getelementptr inbounds i8, ptr %1, i64 %38
  %41 = load i8, ptr %40, align 1
  %42 = icmp eq i8 %41, 34
  br i1 %42, label %43, label %680

43:                                               ; preds = %37
  %44 = add i64 %38, 1
  %45 = load i64, ptr %39, align 8
  %46 = load ptr, ptr %0, align 8
  %47 = getelementptr inbounds %struct.node, ptr %46, i64 %45
  %48 = icmp sgt i64 %45, -1
  br i1 %48, label %49, label %92

49:                                               ; preds = %43
  %50 = sub i64 %3, %44
  %51 = getelementptr inbounds i8, ptr %47, i64 8
  %52 = load i64, ptr %51, align 8
  %53 = icmp sgt i64 %50, %52
  br i1 %53, label %54, label %92

54:                                               ; preds = %49
  %55 = getelementptr i8, ptr %1, i64 %44
  %56 = getelementptr i8, ptr %55, i64 %52
  %57 = load i8, ptr %56, align 1
  %58 = icmp eq i8 %57, 34
  br i1 %58, label %59, label %92

59:                                               ; preds = %54
  %60 = load ptr, ptr %47, align 8
  %61 = icmp sgt i64 %52, 7
  br i1 %61, label %67, label %62

62:                                               ; preds = %74, %59
  %63 = phi ptr [ %55, %59 ], [ %76, %74 ]
  %64 = phi ptr [ %60, %59 ], [ %77, %74 ]
  %65 = phi i64 [ %52, %59 ], [ %75, %74 ]
  %66 = icmp sgt i64 %65, 0
  br i1 %66, label %82, label %89

67:                                               ; preds = %59, %74
  %68 = phi i64 [ %75, %74 ], [ %52, %59 ]
  %69 = phi ptr [ %77, %74 ], [ %60, %59 ]
  %70 = phi ptr [ %76, %74 ], [ %55, %59 ]
  %71 = load i64, ptr %70, align 1
  %72 = load i64, ptr %69, align 1
  %73 = icmp eq i64 %71, %72
  br i1 %73, label %74, label %92

74:                                               ; preds = %67
  %75 = add i64 %68, -8
  %76 = getelementptr inbounds i8, ptr %70, i64 8
  %77 = getelementptr inbounds i8, ptr %69, i64 8
  %78 = icmp ugt i64 %68, 15
  br i1 %78, label %67, label %62

79:                                               ; preds = %82
  %80 = add i64 %83, 1
  %81 = icmp eq i64 %80, %65
  br i1 %81, label %89, label %82

82:                                               ; preds = %62, %79
  %83 = phi i64 [ %80, %79 ], [ 0, %62 ]
  %84 = getelementptr inbounds i8, ptr %63, i64 %83
  %85 = load i8, ptr %84, align 1
  %86 = getelementptr inbounds i8, ptr %64, i64 %83
  %87 = load i8, ptr %86, align 1
  %88 = icmp eq i8 %85, %87
  br i1 %88, label %79, label %92

89:                                               ; preds = %79, %62
  %90 = add i64 %38, 2
  %91 = add i64 %90, %52
  br label %231

92:                                               ; preds = %67, %82, %54, %49, %43
  store i32 0, ptr %8, align 4
  %93 = call fastcc i64 @end_of_string(ptr %1, i64 %44, i64 %3, ptr %8)
  %94 = icmp sgt i64 %93, -1
  %95 = load i32, ptr %8, align 4
  %96 = icmp eq i32 %95, 0
  %97 = select i1 %94, i1 %96, i1 false
  br i1 %97, label %99, label %98

98:                                               ; preds = %92
  br label %680

99:                                               ; preds = %92
  %100 = getelementptr inbounds i8, ptr %1, i64 %44
  %101 = sub i64 %93, %38
  %102 = add i64 %101, -2
  %103 = getelementptr inbounds %struct.node, ptr %46, i64 %4
  %104 = getelementptr inbounds i8, ptr %103, i64 24
  %105 = load i64, ptr %104, align 8
  %106 = icmp slt i64 %105, 5
  br i1 %106, label %107, label %152

107:                                              ; preds = %99
  %108 = getelementptr inbounds i8, ptr %103, i64 16
  %109 = load i64, ptr %108, align 8
  %110 = add i64 %109, %105
  %111 = icmp sgt i64 %105, 0
  br i1 %111, label %112, label %228

112:                                              ; preds = %107
  %113 = icmp sgt i64 %102, 7
  br label %114

114:                                              ; preds = %149, %112
  %115 = phi i64 [ %109, %112 ], [ %150, %149 ]
  %116 = getelementptr inbounds %struct.node, ptr %46, i64 %115
  %117 = getelementptr inbounds i8, ptr %116, i64 8
  %118 = load i64, ptr %117, align 8
  %119 = icmp eq i64 %118, %102
  br i1 %119, label %120, label %149

120:                                              ; preds = %114
  %121 = load ptr, ptr %116, align 8
  br i1 %113, label %127, label %122

122:                                              ; preds = %134, %120
  %123 = phi ptr [ %100, %120 ], [ %136, %134 ]
  %124 = phi ptr [ %121, %120 ], [ %137, %134 ]
  %125 = phi i64 [ %102, %120 ], [ %135, %134 ]
  %126 = icmp sgt i64 %125, 0
  br i1 %126, label %142, label %224

127:                                              ; preds = %120, %134
  %128 = phi i64 [ %135, %134 ], [ %102, %120 ]
  %129 = phi ptr [ %137, %134 ], [ %121, %120 ]
  %130 = phi ptr [ %136, %134 ], [ %100, %120 ]
  %131 = load i64, ptr %130, align 1
  %132 = load i64, ptr %129, align 1
  %133 = icmp eq i64 %131, %132
  br i1 %133, label %134, label %149

134:                                              ; preds = %127
  %135 = add i64 %128, -8
  %136 = getelementptr inbounds i8, ptr %130, i64 8
  %137 = getelementptr inbounds i8, ptr %129, i64 8
  %138 = icmp ugt i64 %128, 15
  br i1 %138, label %127, label %122

139:                                              ; preds = %142
  %140 = add i64 %143, 1
  %141 = icmp eq i64 %140, %125
  br i1 %141, label %224, label %142

142:                                              ; preds = %122, %139
  %143 = phi i64 [ %140, %139 ], [ 0, %122 ]
  %144 = getelementptr inbounds i8, ptr %123, i64 %143
  %145 = load i8, ptr %144, align 1
  %146 = getelementptr inbounds i8, ptr %124, i64 %143
  %147 = load i8, ptr %146, align 1
  %148 = icmp eq i8 %145, %147
  br i1 %148, label %139, label %149

149:                                              ; preds = %127, %142, %114
  %150 = add i64 %115, 1
  %151 = icmp slt i64 %150, %110
  br i1 %151, label %114, label %229

152:                                              ; preds = %99
  %153 = icmp sgt i64 %102, 0
  br i1 %153, label %168, label %154

154:                                              ; preds = %168, %152
  %155 = phi i32 [ %33, %152 ], [ %175, %168 ]
  %156 = zext i32 %155 to i64
  %157 = load i64, ptr %34, align 8
  %158 = and i64 %157, %156
  %159 = load ptr, ptr %35, align 8
  %160 = getelementptr inbounds i64, ptr %159, i64 %158
  %161 = load i64, ptr %160, align 8
  %162 = icmp slt i64 %161, 0
  br i1 %162, label %228, label %163

163:                                              ; preds = %154
  %164 = getelementptr inbounds i8, ptr %103, i64 16
  %165 = load i64, ptr %164, align 8
  %166 = add i64 %165, %105
  %167 = icmp sgt i64 %102, 7
  br label %178

168:                                              ; preds = %152, %168
  %169 = phi i64 [ %176, %168 ], [ 0, %152 ]
  %170 = phi i32 [ %175, %168 ], [ %33, %152 ]
  %171 = getelementptr inbounds i8, ptr %100, i64 %169
  %172 = load i8, ptr %171, align 1
  %173 = zext i8 %172 to i32
  %174 = xor i32 %170, %173
  %175 = mul i32 %174, 16777619
  %176 = add i64 %169, 1
  %177 = icmp eq i64 %176, %102
  br i1 %177, label %154, label %168

178:                                              ; preds = %218, %163
  %179 = phi i64 [ %161, %163 ], [ %222, %218 ]
  %180 = phi i64 [ %158, %163 ], [ %220, %218 ]
  %181 = getelementptr inbounds %struct.node, ptr %46, i64 %179
  %182 = icmp sge i64 %179, %165
  %183 = icmp slt i64 %179, %166
  %184 = select i1 %182, i1 %183, i1 false
  br i1 %184, label %185, label %218

185:                                              ; preds = %178
  %186 = getelementptr inbounds i8, ptr %181, i64 8
  %187 = load i64, ptr %186, align 8
  %188 = icmp eq i64 %187, %102
  br i1 %188, label %189, label %218

189:                                              ; preds = %185
  %190 = load ptr, ptr %181, align 8
  br i1 %167, label %196, label %191

191:                                              ; preds = %203, %189
  %192 = phi ptr [ %100, %189 ], [ %205, %203 ]
  %193 = phi ptr [ %190, %189 ], [ %206, %203 ]
  %194 = phi i64 [ %102, %189 ], [ %204, %203 ]
  %195 = icmp sgt i64 %194, 0
  br i1 %195, label %211, label %224

196:                                              ; preds = %189, %203
  %197 = phi i64 [ %204, %203 ], [ %102, %189 ]
  %198 = phi ptr [ %206, %203 ], [ %190, %189 ]
  %199 = phi ptr [ %205, %203 ], [ %100, %189 ]
  %200 = load i64, ptr %199, align 1
  %201 = load i64, ptr %198, align 1
  %202 = icmp eq i64 %200, %201
  br i1 %202, label %203, label %218

203:                                              ; preds = %196
  %204 = add i64 %197, -8
  %205 = getelementptr inbounds i8, ptr %199, i64 8
  %206 = getelementptr inbounds i8, ptr %198, i64 8
  %207 = icmp ugt i64 %197, 15
  br i1 %207, label %196, label %191

208:                                              ; preds = %211
  %209 = add i64 %212, 1
  %210 = icmp eq i64 %209, %194
  br i1 %210, label %224, label %211

211:                                              ; preds = %191, %208
  %212 = phi i64 [ %209, %208 ], [ 0, %191 ]
  %213 = getelementptr inbounds i8, ptr %192, i64 %212
  %214 = load i8, ptr %213, align 1
  %215 = getelementptr inbounds i8, ptr %193, i64 %212
  %216 = load i8, ptr %215, align 1
  %217 = icmp eq i8 %214, %216
  br i1 %217, label %208, label %218

218:                                              ; preds = %196, %211, %185, %178
  %219 = add i64 %180, 1
  %220 = and i64 %219, %157
  %221 = getelementptr inbounds i64, ptr %159, i64 %220
  %222 = load i64, ptr %221, align 8
  %223 = icmp slt i64 %222, 0
  br i1 %223, label %229, label %178

224:                                              ; preds = %191, %122, %208, %139
  %225 = phi i64 [ %115, %122 ], [ %115, %139 ], [ %179, %208 ], [ %179, %191 ]
  %226 = icmp sgt i64 %225, -1
  br i1 %226, label %227, label %229

227:                                              ; preds = %224
  store i64 %225, ptr %39, align 8
  br label %229

228:                                              ; preds = %154, %107
  br label %239

229:                                              ; preds = %218, %149, %224, %227
  %230 = phi i64 [ %225, %224 ], [ %225, %227 ], [ -1, %149 ], [ -1, %218 ]
  br label %231

231:                                              ; preds = %229, %89
  %232 = phi i64 [ %45, %89 ], [ %230, %229 ]
  %233 = phi i64 [ %91, %89 ], [ %93, %229 ]
  %234 = icmp sgt i64 %232, -1
  br i1 %234, label %235, label %239

235:                                              ; preds = %231
  %236 = load ptr, ptr %0, align 8
  %237 = getelementptr inbounds %struct.node, ptr %236, i64 %232
  %238 = getelementptr inbounds i8, ptr %237, i64 64
  br label %239

239:                                              ; preds = %228, %235, %231
  %240 = phi i1 [ true, %235 ], [ false, %231 ], [ false, %228 ]
  %241 = phi i64 [ %233, %235 ], [ %233, %231 ], [ %93, %228 ]
  %242 = phi i64 [ %232, %235 ], [ %232, %231 ], [ -1, %228 ]
  %243 = phi ptr [ %238, %235 ], [ %39, %231 ], [ %39, %228 ]
  %244 = icmp slt i64 %241, %3
  br i1 %244, label %245, label %252

245:                                              ; preds = %239, %249
  %246 = phi i64 [ %250, %249 ], [ %241, %239 ]
  %247 = getelementptr inbounds i8, ptr %1, i64 %246
  %248 = load i8, ptr %247, align 1
  switch i8 %248, label %252 [
    i8 32, label %249
    i8 13, label %249
    i8 9, label %249
    i8 10, label %249
  ]

249:                                              ; preds = %245, %245, %245, %245
  %250 = add i64 %246, 1
  %251 = icmp eq i64 %250, %3
  br i1 %251, label %680, label %245

252:                                              ; preds = %245, %239
  %253 = phi i64 [ %241, %239 ], [ %246, %245 ]
  %254 = icmp slt i64 %253, %3
  br i1 %254, label %255, label %680

255:                                              ; preds = %252
  %256 = getelementptr inbounds i8, ptr %1, i64 %253
  %257 = load i8, ptr %256, align 1
  %258 = icmp eq i8 %257, 58
  br i1 %258, label %259, label %680

259:                                              ; preds = %255
  %260 = add i64 %253, 1
  %261 = icmp slt i64 %260, %3
  br i1 %261, label %262, label %269

262:                                              ; preds = %259, %266
  %263 = phi i64 [ %267, %266 ], [ %260, %259 ]
  %264 = getelementptr inbounds i8, ptr %1, i64 %263
  %265 = load i8, ptr %264, align 1
  switch i8 %265, label %269 [
    i8 32, label %266
    i8 13, label %266
    i8 9, label %266
    i8 10, label %266
  ]

266:                                              ; preds = %262, %262, %262, %262
  %267 = add i64 %263, 1
  %268 = icmp eq i64 %267, %3
  br i1 %268, label %680, label %262

269:                                              ; preds = %262, %259
  %270 = phi i64 [ %260, %259 ], [ %263, %262 ]
  %271 = icmp slt i64 %270, %3
  br i1 %271, label %272, label %680

272:                                              ; preds = %269
  br i1 %240, label %273, label %280

273:                                              ; preds = %272
  %274 = load ptr, ptr %0, align 8
  %275 = getelementptr inbounds %struct.node, ptr %274, i64 %242
  %276 = getelementptr inbounds i8, ptr %275, i64 48
  %277 = load i64, ptr %276, align 8
  %278 = trunc i64 %277 to i32
  %279 = call fastcc i64 @value_of(ptr %0, ptr %1, i64 %270, i64 %3, i64 %242, i32 %278)
  br label %647

280:                                              ; preds = %272
  %281 = load i64, ptr %36, align 8
  %282 = icmp eq i64 %281, 0
  br i1 %282, label %680, label %283

283:                                              ; preds = %280, %642
  %284 = phi i64 [ %645, %642 ], [ %270, %280 ]
  %285 = phi i32 [ %644, %642 ], [ 0, %280 ]
  %286 = phi i64 [ %643, %642 ], [ 0, %280 ]
  %287 = getelementptr inbounds i8, ptr %1, i64 %284
  %288 = load i8, ptr %287, align 1
  %289 = icmp eq i8 %288, 123
  switch i8 %288, label %412 [
    i8 123, label %290
    i8 91, label %290
    i8 34, label %318
    i8 110, label %397
    i8 116, label %367
    i8 102, label %382
  ]

290:                                              ; preds = %283, %283
  %291 = add i32 %285, 1
  %292 = icmp eq i32 %285, 64
  br i1 %292, label %680, label %293

293:                                              ; preds = %290
  %294 = shl i64 %286, 1
  %295 = zext i1 %289 to i64
  %296 = or i64 %294, %295
  %297 = add i64 %284, 1
  %298 = icmp slt i64 %297, %3
  br i1 %298, label %299, label %306

299:                                              ; preds = %293, %303
  %300 = phi i64 [ %304, %303 ], [ %297, %293 ]
  %301 = getelementptr inbounds i8, ptr %1, i64 %300
  %302 = load i8, ptr %301, align 1
  switch i8 %302, label %306 [
    i8 32, label %303
    i8 13, label %303
    i8 9, label %303
    i8 10, label %303
  ]

303:                                              ; preds = %299, %299, %299, %299
  %304 = add i64 %300, 1
  %305 = icmp eq i64 %304, %3
  br i1 %305, label %680, label %299

306:                                              ; preds = %299, %293
  %307 = phi i64 [ %297, %293 ], [ %300, %299 ]
  %308 = icmp slt i64 %307, %3
  br i1 %308, label %309, label %680

309:                                              ; preds = %306
  %310 = getelementptr inbounds i8, ptr %1, i64 %307
  %311 = load i8, ptr %310, align 1
  %312 = add i8 %288, 2
  %313 = icmp eq i8 %311, %312
  br i1 %313, label %315, label %314

314:                                              ; preds = %309
  br i1 %289, label %560, label %642

315:                                              ; preds = %309
  %316 = add i64 %307, 1
  %317 = and i64 %286, 9223372036854775807
  br label %512

318:                                              ; preds = %283
  %319 = add i64 %284, 1
  store i32 0, ptr %7, align 4
  %320 = call fastcc i64 @end_of_string(ptr %1, i64 %319, i64 %3, ptr %7)
  %321 = icmp slt i64 %320, 0
  br i1 %321, label %365, label %322

322:                                              ; preds = %318
  %323 = load i32, ptr %7, align 4
  %324 = icmp eq i32 %323, 0
  %325 = add i64 %320, -1
  %326 = icmp sge i64 %319, %325
  %327 = select i1 %324, i1 true, i1 %326
  br i1 %327, label %328, label %329

328:                                              ; preds = %322
  br label %512

329:                                              ; preds = %322, %361
  %330 = phi i64 [ %363, %361 ], [ %319, %322 ]
  %331 = getelementptr inbounds i8, ptr %1, i64 %330
  %332 = load i8, ptr %331, align 1
  %333 = icmp eq i8 %332, 92
  br i1 %333, label %334, label %361

334:                                              ; preds = %329
  %335 = add i64 %330, 1
  %336 = getelementptr inbounds i8, ptr %1, i64 %335
  %337 = load i8, ptr %336, align 1
  %338 = icmp eq i8 %337, 117
  br i1 %338, label %339, label %361

339:                                              ; preds = %334
  %340 = getelementptr inbounds i8, ptr %336, i64 1
  br label %341

341:                                              ; preds = %341, %339
  %342 = phi i64 [ 0, %339 ], [ %354, %341 ]
  %343 = phi i32 [ 0, %339 ], [ %353, %341 ]
  %344 = shl i32 %343, 4
  %345 = getelementptr inbounds i8, ptr %340, i64 %342
  %346 = load i8, ptr %345, align 1
  %347 = zext i8 %346 to i32
  %348 = icmp ult i8 %346, 58
  %349 = add i32 %347, -48
  %350 = or i32 %347, 32
  %351 = add i32 %350, -87
  %352 = select i1 %348, i32 %349, i32 %351
  %353 = add i32 %352, %344
  %354 = add i64 %342, 1
  %355 = icmp eq i64 %354, 4
  br i1 %355, label %356, label %341

356:                                              ; preds = %341
  %357 = icmp eq i32 %353, 0
  %358 = and i32 %353, -2048
  %359 = icmp eq i32 %358, 55296
  %360 = or i1 %357, %359
  br i1 %360, label %365, label %361

361:                                              ; preds = %356, %334, %329
  %362 = phi i64 [ %330, %329 ], [ %335, %334 ], [ %335, %356 ]
  %363 = add i64 %362, 1
  %364 = icmp slt i64 %363, %325
  br i1 %364, label %329, label %366

365:                                              ; preds = %318, %356
  br label %680

366:                                              ; preds = %361
  br label %512

367:                                              ; preds = %283
  %368 = sub i64 %3, %284
  %369 = icmp slt i64 %368, 4
  br i1 %369, label %680, label %373

370:                                              ; preds = %373
  %371 = add i64 %374, 1
  %372 = icmp eq i64 %371, 4
  br i1 %372, label %380, label %373

373:                                              ; preds = %367, %370
  %374 = phi i64 [ %371, %370 ], [ 0, %367 ]
  %375 = getelementptr i8, ptr %287, i64 %374
  %376 = load i8, ptr %375, align 1
  %377 = getelementptr inbounds i8, ptr @.str.1, i64 %374
  %378 = load i8, ptr %377, align 1
  %379 = icmp eq i8 %376, %378
  br i1 %379, label %370, label %680

380:                                              ; preds = %370
  %381 = add i64 %284, 4
  br label %496

382:                                              ; preds = %283
  %383 = sub i64 %3, %284
  %384 = icmp slt i64 %383, 5
  br i1 %384, label %680, label %388

385:                                              ; preds = %388
  %386 = add i64 %389, 1
  %387 = icmp eq i64 %386, 5
  br i1 %387, label %395, label %388

388:                                              ; preds = %382, %385
  %389 = phi i64 [ %386, %385 ], [ 0, %382 ]
  %390 = getelementptr i8, ptr %287, i64 %389
  %391 = load i8, ptr %390, align 1
  %392 = getelementptr inbounds i8, ptr @.str.2, i64 %389
  %393 = load i8, ptr %392, align 1
  %394 = icmp eq i8 %391, %393
  br i1 %394, label %385, label %680

395:                                              ; preds = %385
  %396 = add i64 %284, 5
  br label %496

397:                                              ; preds = %283
  %398 = sub i64 %3, %284
  %399 = icmp slt i64 %398, 4
  br i1 %399, label %680, label %403

400:                                              ; preds = %403
  %401 = add i64 %404, 1
  %402 = icmp eq i64 %401, 4
  br i1 %402, label %410, label %403

403:                                              ; preds = %397, %400
  %404 = phi i64 [ %401, %400 ], [ 0, %397 ]
  %405 = getelementptr i8, ptr %287, i64 %404
  %406 = load i8, ptr %405, align 1
  %407 = getelementptr inbounds i8, ptr @.str, i64 %404
  %408 = load i8, ptr %407, align 1
  %409 = icmp eq i8 %406, %408
  br i1 %409, label %400, label %680

410:                                              ; preds = %400
  %411 = add i64 %284, 4
  br label %496

412:                                              ; preds = %283
  %413 = icmp eq i8 %288, 45
  %414 = zext i1 %413 to i64
  %415 = add i64 %284, %414
  %416 = icmp slt i64 %415, %3
  br i1 %416, label %417, label %680

417:                                              ; preds = %412
  %418 = getelementptr inbounds i8, ptr %1, i64 %415
  %419 = load i8, ptr %418, align 1
  %420 = icmp eq i8 %419, 48
  br i1 %420, label %421, label %423

421:                                              ; preds = %417
  %422 = add i64 %415, 1
  br label %438

423:                                              ; preds = %417
  %424 = add i8 %419, -58
  %425 = icmp ult i8 %424, -10
  br i1 %425, label %680, label %426

426:                                              ; preds = %423, %432
  %427 = phi i64 [ %433, %432 ], [ %415, %423 ]
  %428 = getelementptr inbounds i8, ptr %1, i64 %427
  %429 = load i8, ptr %428, align 1
  %430 = add i8 %429, -58
  %431 = icmp ult i8 %430, -10
  br i1 %431, label %435, label %432

432:                                              ; preds = %426
  %433 = add i64 %427, 1
  %434 = icmp eq i64 %433, %3
  br i1 %434, label %435, label %426

435:                                              ; preds = %432, %426
  %436 = phi i64 [ %427, %426 ], [ %3, %432 ]
  %437 = icmp slt i64 %436, 0
  br i1 %437, label %680, label %438

438:                                              ; preds = %435, %421
  %439 = phi i64 [ %422, %421 ], [ %436, %435 ]
  %440 = icmp slt i64 %439, %3
  br i1 %440, label %441, label %465

441:                                              ; preds = %438
  %442 = getelementptr inbounds i8, ptr %1, i64 %439
  %443 = load i8, ptr %442, align 1
  %444 = icmp eq i8 %443, 46
  br i1 %444, label %445, label %465

445:                                              ; preds = %441
  %446 = add i64 %439, 1
  %447 = icmp slt i64 %446, %3
  br i1 %447, label %448, label %680

448:                                              ; preds = %445
  %449 = getelementptr inbounds i8, ptr %1, i64 %446
  %450 = load i8, ptr %449, align 1
  %451 = add i8 %450, -58
  %452 = icmp ult i8 %451, -10
  br i1 %452, label %680, label %453

453:                                              ; preds = %448, %459
  %454 = phi i64 [ %460, %459 ], [ %446, %448 ]
  %455 = getelementptr inbounds i8, ptr %1, i64 %454
  %456 = load i8, ptr %455, align 1
  %457 = add i8 %456, -58
  %458 = icmp ult i8 %457, -10
  br i1 %458, label %462, label %459

459:                                              ; preds = %453
  %460 = add i64 %454, 1
  %461 = icmp eq i64 %460, %3
  br i1 %461, label %462, label %453

462:                                              ; preds = %459, %453
  %463 = phi i64 [ %3, %459 ], [ %454, %453 ]
  %464 = icmp slt i64 %463, 0
  br i1 %464, label %680, label %465

465:                                              ; preds = %462, %441, %438
  %466 = phi i64 [ %463, %462 ], [ %439, %441 ], [ %439, %438 ]
  %467 = icmp slt i64 %466, %3
  br i1 %467, label %468, label %496

468:                                              ; preds = %465
  %469 = getelementptr inbounds i8, ptr %1, i64 %466
  %470 = load i8, ptr %469, align 1
  switch i8 %470, label %496 [
    i8 101, label %471
    i8 69, label %471
  ]

471:                                              ; preds = %468, %468
  %472 = add i64 %466, 1
  %473 = icmp slt i64 %472, %3
  br i1 %473, label %474, label %479

474:                                              ; preds = %471
  %475 = getelementptr inbounds i8, ptr %1, i64 %472
  %476 = load i8, ptr %475, align 1
  switch i8 %476, label %479 [
    i8 43, label %477
    i8 45, label %477
  ]

477:                                              ; preds = %474, %474
  %478 = add i64 %466, 2
  br label %479

479:                                              ; preds = %477, %474, %471
  %480 = phi i64 [ %478, %477 ], [ %472, %474 ], [ %472, %471 ]
  %481 = icmp slt i64 %480, %3
  br i1 %481, label %482, label %680

482:                                              ; preds = %479
  %483 = getelementptr inbounds i8, ptr %1, i64 %480
  %484 = load i8, ptr %483, align 1
  %485 = add i8 %484, -58
  %486 = icmp ult i8 %485, -10
  br i1 %486, label %680, label %487

487:                                              ; preds = %482, %493
  %488 = phi i64 [ %494, %493 ], [ %480, %482 ]
  %489 = getelementptr inbounds i8, ptr %1, i64 %488
  %490 = load i8, ptr %489, align 1
  %491 = add i8 %490, -58
  %492 = icmp ult i8 %491, -10
  br i1 %492, label %496, label %493

493:                                              ; preds = %487
  %494 = add i64 %488, 1
  %495 = icmp eq i64 %494, %3
  br i1 %495, label %496, label %487

496:                                              ; preds = %493, %487, %468, %465, %410, %395, %380
  %497 = phi i64 [ %381, %380 ], [ %396, %395 ], [ %466, %465 ], [ %411, %410 ], [ %466, %468 ], [ %3, %493 ], [ %488, %487 ]
  %498 = icmp slt i64 %497, 0
  %499 = sub i64 %497, %284
  %500 = icmp sgt i64 %499, 100
  %501 = select i1 %498, i1 true, i1 %500
  br i1 %501, label %680, label %502

502:                                              ; preds = %496
  switch i8 %288, label %503 [
    i8 116, label %512
    i8 102, label %512
  ]

503:                                              ; preds = %502, %506
  %504 = phi i64 [ %511, %506 ], [ %284, %502 ]
  %505 = icmp slt i64 %504, %497
  br i1 %505, label %506, label %512

506:                                              ; preds = %503
  %507 = getelementptr inbounds i8, ptr %1, i64 %504
  %508 = load i8, ptr %507, align 1
  %509 = and i8 %508, -33
  %510 = icmp eq i8 %509, 69
  %511 = add i64 %504, 1
  br i1 %510, label %680, label %503

512:                                              ; preds = %503, %502, %502, %366, %328, %315
  %513 = phi i64 [ %317, %315 ], [ %286, %366 ], [ %286, %328 ], [ %286, %502 ], [ %286, %502 ], [ %286, %503 ]
  %514 = phi i64 [ %316, %315 ], [ %320, %366 ], [ %320, %328 ], [ %497, %502 ], [ %497, %502 ], [ %497, %503 ]
  %515 = icmp eq i32 %285, 0
  br i1 %515, label %647, label %516

516:                                              ; preds = %512, %541
  %517 = phi i64 [ %542, %541 ], [ %514, %512 ]
  %518 = phi i32 [ %543, %541 ], [ %285, %512 ]
  %519 = phi i64 [ %544, %541 ], [ %513, %512 ]
  %520 = icmp slt i64 %517, %3
  br i1 %520, label %521, label %528

521:                                              ; preds = %516, %525
  %522 = phi i64 [ %526, %525 ], [ %517, %516 ]
  %523 = getelementptr inbounds i8, ptr %1, i64 %522
  %524 = load i8, ptr %523, align 1
  switch i8 %524, label %528 [
    i8 32, label %525
    i8 13, label %525
    i8 9, label %525
    i8 10, label %525
  ]

525:                                              ; preds = %521, %521, %521, %521
  %526 = add i64 %522, 1
  %527 = icmp eq i64 %526, %3
  br i1 %527, label %680, label %521

528:                                              ; preds = %521, %516
  %529 = phi i64 [ %517, %516 ], [ %522, %521 ]
  %530 = icmp slt i64 %529, %3
  br i1 %530, label %531, label %680

531:                                              ; preds = %528
  %532 = getelementptr inbounds i8, ptr %1, i64 %529
  %533 = load i8, ptr %532, align 1
  %534 = icmp eq i8 %533, 44
  br i1 %534, label %546, label %535

535:                                              ; preds = %531
  %536 = zext i8 %533 to i32
  %537 = and i64 %519, 1
  %538 = icmp eq i64 %537, 0
  %539 = select i1 %538, i32 93, i32 125
  %540 = icmp eq i32 %539, %536
  br i1 %540, label %541, label %680

541:                                              ; preds = %535
  %542 = add i64 %529, 1
  %543 = add i32 %518, -1
  %544 = lshr i64 %519, 1
  %545 = icmp eq i32 %543, 0
  br i1 %545, label %647, label %516

546:                                              ; preds = %531
  %547 = add i64 %529, 1
  %548 = icmp slt i64 %547, %3
  br i1 %548, label %549, label %556

549:                                              ; preds = %546, %553
  %550 = phi i64 [ %554, %553 ], [ %547, %546 ]
  %551 = getelementptr inbounds i8, ptr %1, i64 %550
  %552 = load i8, ptr %551, align 1
  switch i8 %552, label %556 [
    i8 32, label %553
    i8 13, label %553
    i8 9, label %553
    i8 10, label %553
  ]

553:                                              ; preds = %549, %549, %549, %549
  %554 = add i64 %550, 1
  %555 = icmp eq i64 %554, %3
  br i1 %555, label %556, label %549

556:                                              ; preds = %553, %549, %546
  %557 = phi i64 [ %547, %546 ], [ %550, %549 ], [ %3, %553 ]
  %558 = and i64 %519, 1
  %559 = icmp eq i64 %558, 0
  br i1 %559, label %642, label %560

560:                                              ; preds = %556, %314
  %561 = phi i64 [ %296, %314 ], [ %519, %556 ]
  %562 = phi i32 [ %291, %314 ], [ %518, %556 ]
  %563 = phi i64 [ %307, %314 ], [ %557, %556 ]
  %564 = icmp slt i64 %563, %3
  br i1 %564, label %565, label %680

565:                                              ; preds = %560
  %566 = getelementptr inbounds i8, ptr %1, i64 %563
  %567 = load i8, ptr %566, align 1
  %568 = icmp eq i8 %567, 34
  br i1 %568, label %569, label %680

569:                                              ; preds = %565
  %570 = add i64 %563, 1
  store i32 0, ptr %6, align 4
  %571 = call fastcc i64 @end_of_string(ptr %1, i64 %570, i64 %3, ptr %6)
  %572 = icmp slt i64 %571, 0
  br i1 %572, label %615, label %573

573:                                              ; preds = %569
  %574 = load i32, ptr %6, align 4
  %575 = icmp eq i32 %574, 0
  %576 = add i64 %571, -1
  %577 = icmp sge i64 %570, %576
  %578 = select i1 %575, i1 true, i1 %577
  br i1 %578, label %616, label %579

579:                                              ; preds = %573, %611
  %580 = phi i64 [ %613, %611 ], [ %570, %573 ]
  %581 = getelementptr inbounds i8, ptr %1, i64 %580
  %582 = load i8, ptr %581, align 1
  %583 = icmp eq i8 %582, 92
  br i1 %583, label %584, label %611

584:                                              ; preds = %579
  %585 = add i64 %580, 1
  %586 = getelementptr inbounds i8, ptr %1, i64 %585
  %587 = load i8, ptr %586, align 1
  %588 = icmp eq i8 %587, 117
  br i1 %588, label %589, label %611

589:                                              ; preds = %584
  %590 = getelementptr inbounds i8, ptr %586, i64 1
  br label %591

591:                                              ; preds = %591, %589
  %592 = phi i64 [ 0, %589 ], [ %604, %591 ]
  %593 = phi i32 [ 0, %589 ], [ %603, %591 ]
  %594 = shl i32 %593, 4
  %595 = getelementptr inbounds i8, ptr %590, i64 %592
  %596 = load i8, ptr %595, align 1
  %597 = zext i8 %596 to i32
  %598 = icmp ult i8 %596, 58
  %599 = add i32 %597, -48
  %600 = or i32 %597, 32
  %601 = add i32 %600, -87
  %602 = select i1 %598, i32 %599, i32 %601
  %603 = add i32 %602, %594
  %604 = add i64 %592, 1
  %605 = icmp eq i64 %604, 4
  br i1 %605, label %606, label %591

606:                                              ; preds = %591
  %607 = icmp eq i32 %603, 0
  %608 = and i32 %603, -2048
  %609 = icmp eq i32 %608, 55296
  %610 = or i1 %607, %609
  br i1 %610, label %615, label %611

611:                                              ; preds = %606, %584, %579
  %612 = phi i64 [ %580, %579 ], [ %585, %584 ], [ %585, %606 ]
  %613 = add i64 %612, 1
  %614 = icmp slt i64 %613, %576
  br i1 %614, label %579, label %616

615:                                              ; preds = %569, %606
  br label %680

616:                                              ; preds = %611, %573
  %617 = icmp slt i64 %571, %3
  br i1 %617, label %618, label %625

618:                                              ; preds = %616, %622
  %619 = phi i64 [ %623, %622 ], [ %571, %616 ]
  %620 = getelementptr inbounds i8, ptr %1, i64 %619
  %621 = load i8, ptr %620, align 1
  switch i8 %621, label %625 [
    i8 32, label %622
    i8 13, label %622
    i8 9, label %622
    i8 10, label %622
  ]

622:                                              ; preds = %618, %618, %618, %618
  %623 = add i64 %619, 1
  %624 = icmp eq i64 %623, %3
  br i1 %624, label %680, label %618

625:                                              ; preds = %618, %616
  %626 = phi i64 [ %571, %616 ], [ %619, %618 ]
  %627 = icmp slt i64 %626, %3
  br i1 %627, label %628, label %680

628:                                              ; preds = %625
  %629 = getelementptr inbounds i8, ptr %1, i64 %626
  %630 = load i8, ptr %629, align 1
  %631 = icmp eq i8 %630, 58
  br i1 %631, label %632, label %680

632:                                              ; preds = %628
  %633 = add i64 %626, 1
  %634 = icmp slt i64 %633, %3
  br i1 %634, label %635, label %642

635:                                              ; preds = %632, %639
  %636 = phi i64 [ %640, %639 ], [ %633, %632 ]
  %637 = getelementptr inbounds i8, ptr %1, i64 %636
  %638 = load i8, ptr %637, align 1
  switch i8 %638, label %642 [
    i8 32, label %639
    i8 13, label %639
    i8 9, label %639
    i8 10, label %639
  ]

639:                                              ; preds = %635, %635, %635, %635
  %640 = add i64 %636, 1
  %641 = icmp eq i64 %640, %3
  br i1 %641, label %680, label %635

642:                                              ; preds = %635, %632, %556, %314
  %643 = phi i64 [ %561, %632 ], [ %296, %314 ], [ %519, %556 ], [ %561, %635 ]
  %644 = phi i32 [ %562, %632 ], [ %291, %314 ], [ %518, %556 ], [ %562, %635 ]
  %645 = phi i64 [ %633, %632 ], [ %307, %314 ], [ %557, %556 ], [ %636, %635 ]
  %646 = icmp slt i64 %645, %3
  br i1 %646, label %283, label %680

647:                                              ; preds = %512, %541, %273
  %648 = phi i64 [ %279, %273 ], [ %542, %541 ], [ %514, %512 ]
  %649 = icmp slt i64 %648, 0
  br i1 %649, label %680, label %650

650:                                              ; preds = %647
  %651 = icmp slt i64 %648, %3
  br i1 %651, label %652, label %659

652:                                              ; preds = %650, %656
  %653 = phi i64 [ %657, %656 ], [ %648, %650 ]
  %654 = getelementptr inbounds i8, ptr %1, i64 %653
  %655 = load i8, ptr %654, align 1
  switch i8 %655, label %659 [
    i8 32, label %656
    i8 13, label %656
    i8 9, label %656
    i8 10, label %656
  ]

656:                                              ; preds = %652, %652, %652, %652
  %657 = add i64 %653, 1
  %658 = icmp eq i64 %657, %3
  br i1 %658, label %680, label %652

659:                                              ; preds = %652, %650
  %660 = phi i64 [ %648, %650 ], [ %653, %652 ]
  %661 = icmp slt i64 %660, %3
  br i1 %661, label %662, label %680

662:                                              ; preds = %659
  %663 = getelementptr inbounds i8, ptr %1, i64 %660
  %664 = load i8, ptr %663, align 1
  switch i8 %664, label %680 [
    i8 125, label %665
    i8 44, label %667
  ]

665:                                              ; preds = %662
  %666 = add i64 %660, 1
  br label %680

667:                                              ; preds = %662
  %668 = add i64 %660, 1
  %669 = icmp slt i64 %668, %3
  br i1 %669, label %670, label %677

670:                                              ; preds = %667, %674
  %671 = phi i64 [ %675, %674 ], [ %668, %667 ]
  %672 = getelementptr inbounds i8, ptr %1, i64 %671
  %673 = load i8, ptr %672, align 1
  switch i8 %673, label %677 [
    i8 32, label %674
    i8 13, label %674
    i8 9, label %674
    i8 10, label %674
  ]

674:                                              ; preds = %670, %670, %670, %670
  %675 = add i64 %671, 1
  %676 = icmp eq i64 %675, %3
  br i1 %676, label %680, label %670

677:                                              ; preds = %670, %667
  %678 = phi i64 [ %668, %667 ], [ %671, %670 ]
  %679 = icmp slt i64 %678, %3
  br i1 %679, label %37, label %680

680:                                              ; preds = %17, %37, %677, %252, %269, %647, %659, %255, %662, %280, %249, %266, %290, %560, %306, %565, %628, %625, %496, %367, %382, %397, %435, %412, %462, %445, %479, %482, %448, %423, %642, %656, %674, %388, %373, %403, %303, %506, %535, %528, %622, %639, %525, %29, %365, %615, %98, %665, %27
  %681 = phi i64 [ %28, %27 ], [ -1, %639 ], [ -1, %365 ], [ -1, %266 ], [ -1, %622 ], [ -1, %659 ], [ -1, %98 ], [ -1, %403 ], [ -1, %29 ], [ -1, %388 ], [ -1, %525 ], [ %666, %665 ], [ -1, %290 ], [ -1, %535 ], [ -1, %249 ], [ -1, %506 ], [ -1, %303 ], [ -1, %615 ], [ -1, %656 ], [ -1, %373 ], [ -1, %674 ], [ -1, %528 ], [ -1, %642 ], [ -1, %423 ], [ -1, %448 ], [ -1, %482 ], [ -1, %479 ], [ -1, %445 ], [ -1, %462 ], [ -1, %412 ], [ -1, %435 ], [ -1, %397 ], [ -1, %382 ], [ -1, %367 ], [ -1, %496 ], [ -1, %625 ], [ -1, %628 ], [ -1, %565 ], [ -1, %306 ], [ -1, %560 ], [ -1, %280 ], [ -1, %662 ], [ -1, %677 ], [ -1, %252 ], [ -1, %269 ], [ %648, %647 ], [ -1, %255 ], [ -1, %37 ], [ -1, %17 ]
  ret i64 %681
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %78

6:                                                ; preds = %4, %74
  %7 = phi i64 [ %75, %74 ], [ %1, %4 ]
  %8 = sub i64 %2, %7
  %9 = icmp sgt i64 %8, 15
  br i1 %9, label %13, label %10

10:                                               ; preds = %24, %6
  %11 = phi i64 [ %7, %6 ], [ %25, %24 ]
  %12 = icmp slt i64 %11, %2
  br i1 %12, label %32, label %41

13:                                               ; preds = %6, %24
  %14 = phi i64 [ %25, %24 ], [ %7, %6 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 %14
  %16 = load <16 x i8>, ptr %15, align 1
  %17 = icmp eq <16 x i8> %16, splat (i8 34)
  %18 = icmp eq <16 x i8> %16, splat (i8 92)
  %19 = or <16 x i1> %17, %18
  %20 = icmp ult <16 x i8> %16, splat (i8 32)
  %21 = or <16 x i1> %20, %19
  %22 = bitcast <16 x i1> %21 to i16
  %23 = icmp eq i16 %22, 0
  br i1 %23, label %24, label %28

24:                                               ; preds = %13
  %25 = add i64 %14, 16
  %26 = sub i64 %2, %25
  %27 = icmp sgt i64 %26, 15
  br i1 %27, label %13, label %10

28:                                               ; preds = %13
  %29 = call i16 @llvm.cttz.i16(i16 %22, i1 true)
  %30 = zext i16 %29 to i64
  %31 = add i64 %14, %30
  br label %41

32:                                               ; preds = %10, %38
  %33 = phi i64 [ %39, %38 ], [ %11, %10 ]
  %34 = getelementptr inbounds i8, ptr %0, i64 %33
  %35 = load i8, ptr %34, align 1
  switch i8 %35, label %36 [
    i8 34, label %41
    i8 92, label %41
  ]

36:                                               ; preds = %32
  %37 = icmp ugt i8 %35, 31
  br i1 %37, label %38, label %41

38:                                               ; preds = %36
  %39 = add i64 %33, 1
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %78, label %32

41:                                               ; preds = %36, %32, %32, %10, %28
  %42 = phi i64 [ %31, %28 ], [ %11, %10 ], [ %33, %32 ], [ %33, %32 ], [ %33, %36 ]
  %43 = icmp slt i64 %42, %2
  br i1 %43, label %44, label %78

44:                                               ; preds = %41
  %45 = add i64 %42, 1
  %46 = getelementptr inbounds i8, ptr %0, i64 %42
  %47 = load i8, ptr %46, align 1
  switch i8 %47, label %78 [
    i8 34, label %77
    i8 92, label %48
  ]

48:                                               ; preds = %44
  store i32 1, ptr %3, align 4
  %49 = icmp slt i64 %45, %2
  br i1 %49, label %50, label %78

50:                                               ; preds = %48
  %51 = add i64 %42, 2
  %52 = getelementptr inbounds i8, ptr %0, i64 %45
  %53 = load i8, ptr %52, align 1
  switch i8 %53, label %78 [
    i8 34, label %74
    i8 92, label %74
    i8 47, label %74
    i8 98, label %74
    i8 102, label %74
    i8 110, label %74
    i8 114, label %74
    i8 116, label %74
    i8 117, label %54
  ]

54:                                               ; preds = %50
  %55 = sub i64 %2, %51
  %56 = icmp slt i64 %55, 4
  br i1 %56, label %78, label %57

57:                                               ; preds = %54
  %58 = getelementptr i8, ptr %0, i64 %51
  br label %62

59:                                               ; preds = %62
  %60 = add i64 %63, 1
  %61 = icmp eq i64 %60, 4
  br i1 %61, label %72, label %62

62:                                               ; preds = %57, %59
  %63 = phi i64 [ 0, %57 ], [ %60, %59 ]
  %64 = getelementptr i8, ptr %58, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = add i8 %65, -58
  %67 = icmp ult i8 %66, -10
  %68 = and i8 %65, -33
  %69 = add i8 %68, -71
  %70 = icmp ult i8 %69, -6
  %71 = and i1 %67, %70
  br i1 %71, label %78, label %59

72:                                               ; preds = %59
  %73 = add i64 %42, 6
  br label %74

74:                                               ; preds = %50, %50, %50, %50, %50, %50, %50, %50, %72
  %75 = phi i64 [ %73, %72 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ]
  %76 = icmp slt i64 %75, %2
  br i1 %76, label %6, label %78

77:                                               ; preds = %44
  br label %78

78:                                               ; preds = %38, %62, %74, %41, %54, %50, %48, %44, %77, %4
  %79 = phi i64 [ -1, %62 ], [ %45, %77 ], [ -1, %4 ], [ -1, %74 ], [ -1, %44 ], [ -1, %48 ], [ -1, %50 ], [ -1, %54 ], [ -1, %41 ], [ -1, %38 ]
  ret i64 %79
}

define internal fastcc i64 @value_of(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, i32 %5) {
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds %struct.node, ptr %9, i64 %4
  %11 = getelementptr inbounds i8, ptr %1, i64 %2
  %12 = load i8, ptr %11, align 1
  %13 = icmp eq i8 %12, 110
  br i1 %13, label %14, label %92

14:                                               ; preds = %6
  %15 = getelementptr inbounds i8, ptr %10, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds i8, ptr %10, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds i8, ptr %0, i64 8
  %20 = getelementptr inbounds i8, ptr %0, i64 120
  %21 = getelementptr inbounds i8, ptr %0, i64 128
  %22 = getelementptr inbounds i8, ptr %0, i64 112
  br label %23

23:                                               ; preds = %14, %75
  %24 = phi i1 [ true, %14 ], [ false, %75 ]
  %25 = phi i64 [ %16, %14 ], [ %18, %75 ]
  %26 = icmp slt i64 %25, 0
  br i1 %26, label %75, label %27

27:                                               ; preds = %23
  %28 = load ptr, ptr %19, align 8
  %29 = getelementptr inbounds %struct.column, ptr %28, i64 %25
  %30 = getelementptr inbounds i8, ptr %29, i64 72
  %31 = load i64, ptr %30, align 8
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %33, label %261

33:                                               ; preds = %27
  %34 = getelementptr inbounds i8, ptr %29, i64 80
  %35 = load i64, ptr %34, align 8
  %36 = load i64, ptr %20, align 8
  %37 = icmp eq i64 %35, %36
  br i1 %37, label %261, label %38

38:                                               ; preds = %33
  store i64 %36, ptr %34, align 8
  %39 = load i64, ptr %29, align 8
  %40 = icmp eq i64 %39, 0
  br i1 %40, label %75, label %41

41:                                               ; preds = %38
  %42 = load i64, ptr %21, align 8
  %43 = add i64 %42, 1
  store i64 %43, ptr %21, align 8
  %44 = getelementptr inbounds i8, ptr %29, i64 24
  %45 = load ptr, ptr %44, align 8
  %46 = load i64, ptr %22, align 8
  %47 = getelementptr inbounds i8, ptr %45, i64 %46
  store i8 0, ptr %47, align 1
  %48 = load i64, ptr %29, align 8
  switch i64 %48, label %69 [
    i64 4, label %49
    i64 3, label %58
    i64 5, label %63
    i64 0, label %75
  ]

49:                                               ; preds = %41
  %50 = getelementptr inbounds i8, ptr %29, i64 40
  %51 = load i64, ptr %50, align 8
  %52 = trunc i64 %51 to i32
  %53 = getelementptr inbounds i8, ptr %29, i64 16
  %54 = load ptr, ptr %53, align 8
  %55 = load i64, ptr %22, align 8
  %56 = getelementptr i32, ptr %54, i64 %55
  %57 = getelementptr i8, ptr %56, i64 4
  store i32 %52, ptr %57, align 4
  br label %75

58:                                               ; preds = %41
  %59 = getelementptr inbounds i8, ptr %29, i64 8
  %60 = load ptr, ptr %59, align 8
  %61 = load i64, ptr %22, align 8
  %62 = getelementptr inbounds i8, ptr %60, i64 %61
  store i8 0, ptr %62, align 1
  br label %75

63:                                               ; preds = %41
  %64 = getelementptr inbounds i8, ptr %29, i64 8
  %65 = load ptr, ptr %64, align 8
  %66 = load i64, ptr %22, align 8
  %67 = shl i64 %66, 4
  %68 = getelementptr inbounds i8, ptr %65, i64 %67
  call void @llvm.memset.p0.i64(ptr align 1 %68, i8 0, i64 16, i1 false)
  br label %75

69:                                               ; preds = %41
  %70 = getelementptr inbounds i8, ptr %29, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = load i64, ptr %22, align 8
  %73 = shl i64 %72, 3
  %74 = getelementptr inbounds i8, ptr %71, i64 %73
  store i64 0, ptr %74, align 1
  br label %75

75:                                               ; preds = %38, %69, %63, %58, %49, %41, %23
  br i1 %24, label %23, label %76

76:                                               ; preds = %75
  %77 = sub i64 %3, %2
  %78 = icmp slt i64 %77, 4
  br i1 %78, label %261, label %82

79:                                               ; preds = %82
  %80 = add i64 %83, 1
  %81 = icmp eq i64 %80, 4
  br i1 %81, label %89, label %82

82:                                               ; preds = %76, %79
  %83 = phi i64 [ %80, %79 ], [ 0, %76 ]
  %84 = getelementptr i8, ptr %11, i64 %83
  %85 = load i8, ptr %84, align 1
  %86 = getelementptr inbounds i8, ptr @.str, i64 %83
  %87 = load i8, ptr %86, align 1
  %88 = icmp eq i8 %85, %87
  br i1 %88, label %79, label %261

89:                                               ; preds = %79
  %90 = call i64 @llvm.smax.i64(i64 %2, i64 -5)
  %91 = add i64 %90, 4
  br label %261

92:                                               ; preds = %6
  %93 = icmp eq i32 %5, 0
  br i1 %93, label %136, label %94

94:                                               ; preds = %92
  %95 = icmp eq i8 %12, 34
  br i1 %95, label %96, label %261

96:                                               ; preds = %94
  %97 = getelementptr inbounds i8, ptr %0, i64 48
  %98 = load ptr, ptr %97, align 8
  %99 = add i64 %2, 1
  %100 = call fastcc i64 @put_string(ptr %1, i64 %99, i64 %3, ptr %98, ptr %7)
  %101 = icmp slt i64 %100, 0
  br i1 %101, label %134, label %102

102:                                              ; preds = %96
  %103 = load i64, ptr %7, align 8
  %104 = load ptr, ptr %97, align 8
  %105 = getelementptr i8, ptr %104, i64 %103
  %106 = getelementptr i8, ptr %105, i64 8
  store ptr %106, ptr %97, align 8
  %107 = icmp sgt i64 %103, 0
  br i1 %107, label %108, label %115

108:                                              ; preds = %102, %112
  %109 = phi i64 [ %113, %112 ], [ 0, %102 ]
  %110 = getelementptr inbounds i8, ptr %98, i64 %109
  %111 = load i8, ptr %110, align 1
  switch i8 %111, label %115 [
    i8 32, label %112
    i8 13, label %112
    i8 9, label %112
    i8 10, label %112
  ]

112:                                              ; preds = %108, %108, %108, %108
  %113 = add i64 %109, 1
  %114 = icmp eq i64 %113, %103
  br i1 %114, label %134, label %108

115:                                              ; preds = %108, %102
  %116 = phi i64 [ 0, %102 ], [ %109, %108 ]
  %117 = icmp slt i64 %116, %103
  br i1 %117, label %118, label %134

118:                                              ; preds = %115
  %119 = call fastcc i64 @value_of(ptr %0, ptr %98, i64 %116, i64 %103, i64 %4, i32 0)
  store ptr %98, ptr %97, align 8
  %120 = icmp slt i64 %119, 0
  br i1 %120, label %134, label %121

121:                                              ; preds = %118
  %122 = icmp slt i64 %119, %103
  br i1 %122, label %123, label %130

123:                                              ; preds = %121, %127
  %124 = phi i64 [ %128, %127 ], [ %119, %121 ]
  %125 = getelementptr inbounds i8, ptr %98, i64 %124
  %126 = load i8, ptr %125, align 1
  switch i8 %126, label %130 [
    i8 32, label %127
    i8 13, label %127
    i8 9, label %127
    i8 10, label %127
  ]

127:                                              ; preds = %123, %123, %123, %123
  %128 = add i64 %124, 1
  %129 = icmp eq i64 %128, %103
  br i1 %129, label %130, label %123

130:                                              ; preds = %123, %127, %121
  %131 = phi i64 [ %119, %121 ], [ %103, %127 ], [ %124, %123 ]
  %132 = icmp eq i64 %131, %103
  %133 = select i1 %132, i64 %100, i64 -1
  br label %134

134:                                              ; preds = %112, %96, %115, %118, %130
  %135 = phi i64 [ %100, %96 ], [ -1, %115 ], [ %133, %130 ], [ %119, %118 ], [ -1, %112 ]
  br label %261

136:                                              ; preds = %92
  %137 = icmp eq i8 %12, 123
  br i1 %137, label %138, label %170

138:                                              ; preds = %136
  %139 = getelementptr inbounds i8, ptr %10, i64 40
  %140 = load i64, ptr %139, align 8
  %141 = icmp sgt i64 %140, -1
  br i1 %141, label %142, label %170

142:                                              ; preds = %138
  %143 = getelementptr inbounds i8, ptr %10, i64 32
  %144 = load i64, ptr %143, align 8
  %145 = call fastcc i32 @has_only(ptr %0, i64 %140, i64 %144)
  %146 = icmp eq i32 %145, 0
  br i1 %146, label %261, label %147

147:                                              ; preds = %142
  %148 = add i64 %2, 1
  %149 = icmp slt i64 %148, %3
  br i1 %149, label %150, label %157

150:                                              ; preds = %147, %154
  %151 = phi i64 [ %155, %154 ], [ %148, %147 ]
  %152 = getelementptr inbounds i8, ptr %1, i64 %151
  %153 = load i8, ptr %152, align 1
  switch i8 %153, label %157 [
    i8 32, label %154
    i8 13, label %154
    i8 9, label %154
    i8 10, label %154
  ]

154:                                              ; preds = %150, %150, %150, %150
  %155 = add i64 %151, 1
  %156 = icmp eq i64 %155, %3
  br i1 %156, label %167, label %150

157:                                              ; preds = %150, %147
  %158 = phi i64 [ %148, %147 ], [ %151, %150 ]
  %159 = load i64, ptr %143, align 8
  %160 = icmp sgt i64 %159, -1
  %161 = icmp slt i64 %158, %3
  %162 = and i1 %161, %160
  br i1 %162, label %163, label %167

163:                                              ; preds = %157
  %164 = getelementptr inbounds i8, ptr %1, i64 %158
  %165 = load i8, ptr %164, align 1
  %166 = icmp eq i8 %165, 125
  br i1 %166, label %261, label %167

167:                                              ; preds = %154, %163, %157
  %168 = phi i64 [ %158, %157 ], [ %158, %163 ], [ %3, %154 ]
  %169 = call fastcc i64 @fields_of(ptr %0, ptr %1, i64 %168, i64 %3, i64 %4)
  br label %261

170:                                              ; preds = %138, %136
  %171 = getelementptr inbounds i8, ptr %10, i64 32
  %172 = load i64, ptr %171, align 8
  %173 = icmp slt i64 %172, 0
  br i1 %173, label %261, label %174

174:                                              ; preds = %170
  %175 = getelementptr inbounds i8, ptr %10, i64 40
  %176 = load i64, ptr %175, align 8
  %177 = call fastcc i32 @has_only(ptr %0, i64 %172, i64 %176)
  %178 = icmp eq i32 %177, 0
  br i1 %178, label %261, label %179

179:                                              ; preds = %174
  %180 = getelementptr inbounds i8, ptr %0, i64 8
  %181 = load ptr, ptr %180, align 8
  %182 = load i64, ptr %171, align 8
  %183 = getelementptr inbounds %struct.column, ptr %181, i64 %182
  %184 = load i64, ptr %183, align 8
  switch i64 %184, label %231 [
    i64 1, label %185
    i64 2, label %187
    i64 5, label %189
    i64 3, label %191
  ]

185:                                              ; preds = %179
  %186 = call fastcc i64 @put_integer(ptr %0, ptr %183, ptr %1, i64 %2, i64 %3)
  br label %261

187:                                              ; preds = %179
  %188 = call fastcc i64 @put_number(ptr %0, ptr %183, ptr %1, i64 %2, i64 %3)
  br label %261

189:                                              ; preds = %179
  %190 = call fastcc i64 @put_decimal(ptr %0, ptr %183, ptr %1, i64 %2, i64 %3)
  br label %261

191:                                              ; preds = %179
  %192 = icmp eq i8 %12, 116
  %193 = zext i1 %192 to i8
  %194 = getelementptr inbounds i8, ptr %183, i64 8
  %195 = load ptr, ptr %194, align 8
  %196 = getelementptr inbounds i8, ptr %0, i64 112
  %197 = load i64, ptr %196, align 8
  %198 = getelementptr inbounds i8, ptr %195, i64 %197
  store i8 %193, ptr %198, align 1
  %199 = sub i64 %3, %2
  br i1 %192, label %200, label %214

200:                                              ; preds = %191
  %201 = icmp slt i64 %199, 4
  br i1 %201, label %228, label %205

202:                                              ; preds = %205
  %203 = add i64 %206, 1
  %204 = icmp eq i64 %203, 4
  br i1 %204, label %212, label %205

205:                                              ; preds = %200, %202
  %206 = phi i64 [ %203, %202 ], [ 0, %200 ]
  %207 = getelementptr i8, ptr %11, i64 %206
  %208 = load i8, ptr %207, align 1
  %209 = getelementptr inbounds i8, ptr @.str.1, i64 %206
  %210 = load i8, ptr %209, align 1
  %211 = icmp eq i8 %208, %210
  br i1 %211, label %202, label %228

212:                                              ; preds = %202
  %213 = add i64 %2, 4
  br label %228

214:                                              ; preds = %191
  %215 = icmp slt i64 %199, 5
  br i1 %215, label %228, label %219

216:                                              ; preds = %219
  %217 = add i64 %220, 1
  %218 = icmp eq i64 %217, 5
  br i1 %218, label %226, label %219

219:                                              ; preds = %214, %216
  %220 = phi i64 [ %217, %216 ], [ 0, %214 ]
  %221 = getelementptr i8, ptr %11, i64 %220
  %222 = load i8, ptr %221, align 1
  %223 = getelementptr inbounds i8, ptr @.str.2, i64 %220
  %224 = load i8, ptr %223, align 1
  %225 = icmp eq i8 %222, %224
  br i1 %225, label %216, label %228

226:                                              ; preds = %216
  %227 = add i64 %2, 5
  br label %228

228:                                              ; preds = %219, %205, %226, %214, %212, %200
  %229 = phi i64 [ -1, %205 ], [ -1, %200 ], [ %213, %212 ], [ -1, %214 ], [ %227, %226 ], [ -1, %219 ]
  %230 = call i64 @llvm.smax.i64(i64 %229, i64 -1)
  br label %261

231:                                              ; preds = %179
  %232 = icmp eq i8 %12, 34
  br i1 %232, label %233, label %261

233:                                              ; preds = %231
  %234 = getelementptr inbounds i8, ptr %183, i64 32
  %235 = load i64, ptr %234, align 8
  %236 = getelementptr inbounds i8, ptr %183, i64 40
  %237 = load i64, ptr %236, align 8
  %238 = sub i64 %235, %237
  %239 = sub i64 %3, %2
  %240 = add i64 %239, 8
  %241 = icmp slt i64 %238, %240
  br i1 %241, label %261, label %242

242:                                              ; preds = %233
  %243 = add i64 %2, 1
  %244 = getelementptr inbounds i8, ptr %183, i64 8
  %245 = load ptr, ptr %244, align 8
  %246 = getelementptr inbounds i8, ptr %245, i64 %237
  %247 = call fastcc i64 @put_string(ptr %1, i64 %243, i64 %3, ptr %246, ptr %8)
  %248 = icmp slt i64 %247, 0
  br i1 %248, label %260, label %249

249:                                              ; preds = %242
  %250 = load i64, ptr %8, align 8
  %251 = load i64, ptr %236, align 8
  %252 = add i64 %251, %250
  store i64 %252, ptr %236, align 8
  %253 = trunc i64 %252 to i32
  %254 = getelementptr inbounds i8, ptr %183, i64 16
  %255 = load ptr, ptr %254, align 8
  %256 = getelementptr inbounds i8, ptr %0, i64 112
  %257 = load i64, ptr %256, align 8
  %258 = getelementptr i32, ptr %255, i64 %257
  %259 = getelementptr i8, ptr %258, i64 4
  store i32 %253, ptr %259, align 4
  br label %260

260:                                              ; preds = %242, %249
  br label %261

261:                                              ; preds = %76, %89, %82, %33, %27, %185, %187, %189, %228, %260, %231, %233, %170, %174, %167, %163, %142, %134, %94
  %262 = phi i64 [ -2, %233 ], [ -1, %170 ], [ -1, %142 ], [ -1, %94 ], [ -1, %163 ], [ %135, %134 ], [ %169, %167 ], [ -1, %174 ], [ %230, %228 ], [ -1, %231 ], [ %247, %260 ], [ %186, %185 ], [ %188, %187 ], [ %190, %189 ], [ %91, %89 ], [ -1, %82 ], [ -1, %76 ], [ -1, %33 ], [ -1, %27 ]
  ret i64 %262
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias , ptr noalias , i64, i1 immarg)

define internal fastcc i32 @has_only(ptr %0, i64 %1, i64 %2) {
  %4 = icmp sgt i64 %2, -1
  br i1 %4, label %5, label %57

5:                                                ; preds = %3
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds %struct.column, ptr %7, i64 %2
  %9 = getelementptr inbounds i8, ptr %8, i64 72
  %10 = load i64, ptr %9, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %78

12:                                               ; preds = %5
  %13 = getelementptr inbounds i8, ptr %8, i64 80
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %0, i64 120
  %16 = load i64, ptr %15, align 8
  %17 = icmp eq i64 %14, %16
  br i1 %17, label %78, label %18

18:                                               ; preds = %12
  store i64 %16, ptr %13, align 8
  %19 = load i64, ptr %8, align 8
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %57, label %21

21:                                               ; preds = %18
  %22 = getelementptr inbounds i8, ptr %0, i64 128
  %23 = load i64, ptr %22, align 8
  %24 = add i64 %23, 1
  store i64 %24, ptr %22, align 8
  %25 = getelementptr inbounds i8, ptr %8, i64 24
  %26 = load ptr, ptr %25, align 8
  %27 = getelementptr inbounds i8, ptr %0, i64 112
  %28 = load i64, ptr %27, align 8
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  store i8 0, ptr %29, align 1
  %30 = load i64, ptr %8, align 8
  switch i64 %30, label %51 [
    i64 4, label %31
    i64 3, label %40
    i64 5, label %45
    i64 0, label %57
  ]

31:                                               ; preds = %21
  %32 = getelementptr inbounds i8, ptr %8, i64 40
  %33 = load i64, ptr %32, align 8
  %34 = trunc i64 %33 to i32
  %35 = getelementptr inbounds i8, ptr %8, i64 16
  %36 = load ptr, ptr %35, align 8
  %37 = load i64, ptr %27, align 8
  %38 = getelementptr i32, ptr %36, i64 %37
  %39 = getelementptr i8, ptr %38, i64 4
  store i32 %34, ptr %39, align 4
  br label %57

40:                                               ; preds = %21
  %41 = getelementptr inbounds i8, ptr %8, i64 8
  %42 = load ptr, ptr %41, align 8
  %43 = load i64, ptr %27, align 8
  %44 = getelementptr inbounds i8, ptr %42, i64 %43
  store i8 0, ptr %44, align 1
  br label %57

45:                                               ; preds = %21
  %46 = getelementptr inbounds i8, ptr %8, i64 8
  %47 = load ptr, ptr %46, align 8
  %48 = load i64, ptr %27, align 8
  %49 = shl i64 %48, 4
  %50 = getelementptr inbounds i8, ptr %47, i64 %49
  call void @llvm.memset.p0.i64(ptr align 1 %50, i8 0, i64 16, i1 false)
  br label %57

51:                                               ; preds = %21
  %52 = getelementptr inbounds i8, ptr %8, i64 8
  %53 = load ptr, ptr %52, align 8
  %54 = load i64, ptr %27, align 8
  %55 = shl i64 %54, 3
  %56 = getelementptr inbounds i8, ptr %53, i64 %55
  store i64 0, ptr %56, align 1
  br label %57

57:                                               ; preds = %18, %51, %45, %40, %31, %21, %3
  %58 = getelementptr inbounds i8, ptr %0, i64 8
  %59 = load ptr, ptr %58, align 8
  %60 = getelementptr inbounds %struct.column, ptr %59, i64 %1
  %61 = getelementptr inbounds i8, ptr %60, i64 80
  %62 = load i64, ptr %61, align 8
  %63 = getelementptr inbounds i8, ptr %0, i64 120
  %64 = load i64, ptr %63, align 8
  %65 = icmp eq i64 %62, %64
  br i1 %65, label %78, label %66

66:                                               ; preds = %57
  store i64 %64, ptr %61, align 8
  %67 = load i64, ptr %60, align 8
  %68 = icmp eq i64 %67, 0
  br i1 %68, label %78, label %69

69:                                               ; preds = %66
  %70 = getelementptr inbounds i8, ptr %0, i64 128
  %71 = load i64, ptr %70, align 8
  %72 = add i64 %71, 1
  store i64 %72, ptr %70, align 8
  %73 = getelementptr inbounds i8, ptr %60, i64 24
  %74 = load ptr, ptr %73, align 8
  %75 = getelementptr inbounds i8, ptr %0, i64 112
  %76 = load i64, ptr %75, align 8
  %77 = getelementptr inbounds i8, ptr %74, i64 %76
  store i8 1, ptr %77, align 1
  br label %78

78:                                               ; preds = %69, %66, %57, %5, %12
  %79 = phi i32 [ 0, %5 ], [ 0, %12 ], [ 1, %69 ], [ 0, %57 ], [ 1, %66 ]
  ret i32 %79
}

define internal fastcc i64 @put_integer(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4) {
  %6 = getelementptr inbounds i8, ptr %2, i64 %3
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 45
  %9 = zext i1 %8 to i64
  %10 = add i64 %3, %9
  %11 = icmp slt i64 %10, %4
  br i1 %11, label %12, label %62

12:                                               ; preds = %5, %22
  %13 = phi i64 [ %27, %22 ], [ 0, %5 ]
  %14 = phi i64 [ %24, %22 ], [ %10, %5 ]
  %15 = getelementptr inbounds i8, ptr %2, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = add i8 %16, -48
  %18 = icmp ult i8 %17, 10
  %19 = sub i64 %14, %10
  %20 = icmp ult i64 %19, 20
  %21 = select i1 %18, i1 %20, i1 false
  br i1 %21, label %22, label %29

22:                                               ; preds = %12
  %23 = mul i64 %13, 10
  %24 = add i64 %14, 1
  %25 = zext i8 %16 to i64
  %26 = add i64 %23, -48
  %27 = add i64 %26, %25
  %28 = icmp slt i64 %24, %4
  br i1 %28, label %12, label %29

29:                                               ; preds = %22, %12
  %30 = phi i64 [ %14, %12 ], [ %4, %22 ]
  %31 = phi i64 [ %13, %12 ], [ %27, %22 ]
  %32 = icmp eq i64 %30, %10
  br i1 %32, label %62, label %33

33:                                               ; preds = %29
  %34 = sub i64 %30, %10
  %35 = icmp slt i64 %34, 20
  %36 = icmp sgt i64 %31, -1
  %37 = select i1 %35, i1 %36, i1 false
  br i1 %37, label %38, label %62

38:                                               ; preds = %33
  %39 = getelementptr inbounds i8, ptr %2, i64 %10
  %40 = load i8, ptr %39, align 1
  %41 = icmp eq i8 %40, 48
  %42 = icmp sgt i64 %34, 1
  %43 = or i1 %42, %8
  %44 = and i1 %41, %43
  br i1 %44, label %62, label %45

45:                                               ; preds = %38
  %46 = sub i64 0, %31
  %47 = select i1 %8, i64 %46, i64 %31
  %48 = getelementptr inbounds i8, ptr %1, i64 48
  %49 = load i64, ptr %48, align 8
  %50 = icmp slt i64 %47, %49
  br i1 %50, label %62, label %51

51:                                               ; preds = %45
  %52 = getelementptr inbounds i8, ptr %1, i64 56
  %53 = load i64, ptr %52, align 8
  %54 = icmp sgt i64 %47, %53
  br i1 %54, label %62, label %55

55:                                               ; preds = %51
  %56 = getelementptr inbounds i8, ptr %1, i64 8
  %57 = load ptr, ptr %56, align 8
  %58 = getelementptr inbounds i8, ptr %0, i64 112
  %59 = load i64, ptr %58, align 8
  %60 = shl i64 %59, 3
  %61 = getelementptr inbounds i8, ptr %57, i64 %60
  store i64 %47, ptr %61, align 1
  br label %62

62:                                               ; preds = %5, %55, %51, %45, %38, %29, %33
  %63 = phi i64 [ -1, %38 ], [ -1, %29 ], [ -1, %33 ], [ %30, %55 ], [ -1, %51 ], [ -1, %45 ], [ -1, %5 ]
  ret i64 %63
}

define internal fastcc i64 @put_number(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4) {
  %6 = alloca i64, align 8
  %7 = alloca i64, align 8
  %8 = getelementptr inbounds i8, ptr %2, i64 %3
  %9 = load i8, ptr %8, align 1
  %10 = icmp eq i8 %9, 45
  %11 = zext i1 %10 to i64
  %12 = add i64 %3, %11
  %13 = call fastcc i64 @digits_of(ptr %2, i64 %12, i64 %4, ptr %6, ptr %7)
  %14 = icmp slt i64 %13, 0
  br i1 %14, label %144, label %15

15:                                               ; preds = %5
  %16 = icmp slt i64 %13, %4
  br i1 %16, label %17, label %61

17:                                               ; preds = %15
  %18 = getelementptr inbounds i8, ptr %2, i64 %13
  %19 = load i8, ptr %18, align 1
  %20 = and i8 %19, -33
  %21 = icmp eq i8 %20, 69
  br i1 %21, label %22, label %61

22:                                               ; preds = %17
  %23 = add i64 %13, 1
  %24 = icmp ult i64 %23, %4
  br i1 %24, label %25, label %31

25:                                               ; preds = %22
  %26 = getelementptr inbounds i8, ptr %2, i64 %23
  %27 = load i8, ptr %26, align 1
  switch i8 %27, label %31 [
    i8 43, label %28
    i8 45, label %28
  ]

28:                                               ; preds = %25, %25
  %29 = add i64 %13, 2
  %30 = icmp ne i8 %27, 45
  br label %31

31:                                               ; preds = %25, %28, %22
  %32 = phi i64 [ %29, %28 ], [ %23, %25 ], [ %23, %22 ]
  %33 = phi i1 [ %30, %28 ], [ true, %25 ], [ true, %22 ]
  %34 = icmp ult i64 %32, %4
  br i1 %34, label %35, label %144

35:                                               ; preds = %31, %45
  %36 = phi i64 [ %49, %45 ], [ 0, %31 ]
  %37 = phi i64 [ %50, %45 ], [ %32, %31 ]
  %38 = getelementptr inbounds i8, ptr %2, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = add i8 %39, -58
  %41 = icmp ult i8 %40, -10
  br i1 %41, label %52, label %42

42:                                               ; preds = %35
  %43 = sub i64 %37, %32
  %44 = icmp ugt i64 %43, 1
  br i1 %44, label %144, label %45

45:                                               ; preds = %42
  %46 = mul i64 %36, 10
  %47 = zext i8 %39 to i64
  %48 = add i64 %46, -48
  %49 = add i64 %48, %47
  %50 = add i64 %37, 1
  %51 = icmp eq i64 %50, %4
  br i1 %51, label %52, label %35

52:                                               ; preds = %35, %45
  %53 = phi i64 [ %4, %45 ], [ %37, %35 ]
  %54 = phi i64 [ %49, %45 ], [ %36, %35 ]
  %55 = icmp eq i64 %53, %32
  br i1 %55, label %144, label %56

56:                                               ; preds = %52
  %57 = sub i64 0, %54
  %58 = select i1 %33, i64 %54, i64 %57
  %59 = load i64, ptr %7, align 8
  %60 = add i64 %59, %58
  store i64 %60, ptr %7, align 8
  br label %61

61:                                               ; preds = %56, %17, %15
  %62 = phi i64 [ %53, %56 ], [ %13, %17 ], [ %13, %15 ]
  %63 = load i64, ptr %7, align 8
  %64 = add i64 %63, -61
  %65 = icmp ult i64 %64, -121
  br i1 %65, label %144, label %66

66:                                               ; preds = %61
  %67 = load i64, ptr %6, align 8
  %68 = icmp eq i64 %67, 0
  br i1 %68, label %130, label %69

69:                                               ; preds = %66
  %70 = call i64 @llvm.ctlz.i64(i64 %67, i1 true)
  %71 = shl i64 %67, %70
  %72 = getelementptr inbounds i8, ptr %0, i64 40
  %73 = load ptr, ptr %72, align 8
  %74 = shl i64 %63, 4
  %75 = getelementptr i8, ptr %73, i64 %74
  %76 = getelementptr i8, ptr %75, i64 960
  %77 = zext i64 %71 to i128
  %78 = load i64, ptr %76, align 8
  %79 = zext i64 %78 to i128
  %80 = mul i128 %79, %77
  %81 = and i128 %80, 9426286221665580875776
  %82 = icmp eq i128 %81, 9426286221665580875776
  %83 = trunc i128 %80 to i64
  %84 = lshr i128 %80, 64
  %85 = trunc i128 %84 to i64
  br i1 %82, label %86, label %96

86:                                               ; preds = %69
  %87 = getelementptr i8, ptr %75, i64 968
  %88 = load i64, ptr %87, align 8
  %89 = zext i64 %88 to i128
  %90 = mul i128 %89, %77
  %91 = lshr i128 %90, 64
  %92 = add i128 %91, %80
  %93 = trunc i128 %92 to i64
  %94 = lshr i128 %92, 64
  %95 = trunc i128 %94 to i64
  br label %96

96:                                               ; preds = %69, %86
  %97 = phi i64 [ %93, %86 ], [ %83, %69 ]
  %98 = phi i64 [ %95, %86 ], [ %85, %69 ]
  %99 = lshr i64 %98, 63
  %100 = add i64 %99, 9
  %101 = lshr i64 %98, %100
  %102 = mul i64 %63, 217706
  %103 = ashr i64 %102, 16
  %104 = icmp ult i64 %97, 2
  %105 = add i64 %63, 4
  %106 = icmp ult i64 %105, 28
  %107 = and i1 %106, %104
  %108 = and i64 %101, 3
  %109 = icmp eq i64 %108, 1
  %110 = select i1 %107, i1 %109, i1 false
  %111 = shl i64 %101, %100
  %112 = icmp eq i64 %111, %98
  %113 = select i1 %110, i1 %112, i1 false
  %114 = and i64 %101, 72057594037927932
  %115 = select i1 %113, i64 %114, i64 %101
  %116 = and i64 %115, 1
  %117 = add i64 %116, %115
  %118 = lshr i64 %117, 1
  %119 = icmp ult i64 %117, 18014398509481984
  %120 = select i1 %119, i64 1023, i64 1024
  %121 = xor i64 %70, 63
  %122 = add i64 %121, %103
  %123 = add i64 %122, %99
  %124 = add i64 %123, %120
  %125 = and i64 %118, 9218868437227405311
  %126 = select i1 %119, i64 %125, i64 0
  %127 = shl i64 %124, 52
  %128 = or i64 %127, %126
  %129 = bitcast i64 %128 to double
  br label %130

130:                                              ; preds = %66, %96
  %131 = phi double [ %129, %96 ], [ 0.000000e+00, %66 ]
  %132 = getelementptr inbounds i8, ptr %1, i64 64
  %133 = load double, ptr %132, align 8
  %134 = fcmp ult double %131, %133
  br i1 %134, label %135, label %144

135:                                              ; preds = %130
  %136 = fneg double %131
  %137 = select i1 %10, double %136, double %131
  %138 = getelementptr inbounds i8, ptr %1, i64 8
  %139 = load ptr, ptr %138, align 8
  %140 = getelementptr inbounds i8, ptr %0, i64 112
  %141 = load i64, ptr %140, align 8
  %142 = shl i64 %141, 3
  %143 = getelementptr inbounds i8, ptr %139, i64 %142
  store double %137, ptr %143, align 1
  br label %144

144:                                              ; preds = %42, %31, %135, %130, %61, %52, %5
  %145 = phi i64 [ -1, %5 ], [ -1, %130 ], [ -1, %61 ], [ -1, %52 ], [ %62, %135 ], [ -1, %31 ], [ -1, %42 ]
  ret i64 %145
}

define internal fastcc i64 @put_decimal(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4) {
  %6 = alloca i64, align 8
  %7 = alloca i64, align 8
  %8 = getelementptr inbounds i8, ptr %2, i64 %3
  %9 = load i8, ptr %8, align 1
  %10 = icmp eq i8 %9, 34
  %11 = zext i1 %10 to i64
  %12 = add i64 %3, %11
  %13 = icmp slt i64 %12, %4
  br i1 %13, label %14, label %18

14:                                               ; preds = %5
  %15 = getelementptr inbounds i8, ptr %2, i64 %12
  %16 = load i8, ptr %15, align 1
  %17 = icmp eq i8 %16, 45
  br label %18

18:                                               ; preds = %14, %5
  %19 = phi i1 [ false, %5 ], [ %17, %14 ]
  %20 = zext i1 %19 to i64
  %21 = add i64 %12, %20
  %22 = call fastcc i64 @digits_of(ptr %2, i64 %21, i64 %4, ptr %6, ptr %7)
  %23 = icmp slt i64 %22, 0
  br i1 %23, label %80, label %24

24:                                               ; preds = %18
  br i1 %10, label %25, label %32

25:                                               ; preds = %24
  %26 = icmp slt i64 %22, %4
  br i1 %26, label %27, label %80

27:                                               ; preds = %25
  %28 = add i64 %22, 1
  %29 = getelementptr inbounds i8, ptr %2, i64 %22
  %30 = load i8, ptr %29, align 1
  %31 = icmp eq i8 %30, 34
  br i1 %31, label %32, label %80

32:                                               ; preds = %27, %24
  %33 = phi i64 [ %28, %27 ], [ %22, %24 ]
  %34 = getelementptr inbounds i8, ptr %1, i64 48
  %35 = load i64, ptr %34, align 8
  %36 = load i64, ptr %7, align 8
  %37 = add i64 %36, %35
  %38 = load i64, ptr %6, align 8
  %39 = icmp slt i64 %37, 0
  br i1 %39, label %40, label %49

40:                                               ; preds = %32, %46
  %41 = phi i64 [ %44, %46 ], [ %38, %32 ]
  %42 = phi i64 [ %47, %46 ], [ %37, %32 ]
  %43 = urem i64 %41, 10
  %44 = udiv i64 %41, 10
  %45 = icmp eq i64 %43, 0
  br i1 %45, label %46, label %80

46:                                               ; preds = %40
  %47 = add i64 %42, 1
  %48 = icmp eq i64 %47, 0
  br i1 %48, label %51, label %40

49:                                               ; preds = %32
  %50 = icmp eq i64 %37, 0
  br i1 %50, label %51, label %55

51:                                               ; preds = %46, %49
  %52 = phi i64 [ %38, %49 ], [ %44, %46 ]
  %53 = getelementptr inbounds i8, ptr %1, i64 56
  %54 = load i64, ptr %53, align 8
  br label %66

55:                                               ; preds = %49
  %56 = getelementptr inbounds i8, ptr %1, i64 56
  %57 = load i64, ptr %56, align 8
  br label %58

58:                                               ; preds = %55, %62
  %59 = phi i64 [ %38, %55 ], [ %63, %62 ]
  %60 = phi i64 [ %37, %55 ], [ %64, %62 ]
  %61 = icmp ugt i64 %59, %57
  br i1 %61, label %66, label %62

62:                                               ; preds = %58
  %63 = mul i64 %59, 10
  %64 = add i64 %60, -1
  %65 = icmp sgt i64 %60, 1
  br i1 %65, label %58, label %66

66:                                               ; preds = %58, %62, %51
  %67 = phi i64 [ %54, %51 ], [ %57, %62 ], [ %57, %58 ]
  %68 = phi i64 [ %52, %51 ], [ %59, %58 ], [ %63, %62 ]
  %69 = icmp ugt i64 %68, %67
  br i1 %69, label %80, label %70

70:                                               ; preds = %66
  %71 = zext i64 %68 to i128
  %72 = sub i128 0, %71
  %73 = select i1 %19, i128 %72, i128 %71
  %74 = getelementptr inbounds i8, ptr %1, i64 8
  %75 = load ptr, ptr %74, align 8
  %76 = getelementptr inbounds i8, ptr %0, i64 112
  %77 = load i64, ptr %76, align 8
  %78 = shl i64 %77, 4
  %79 = getelementptr inbounds i8, ptr %75, i64 %78
  store i128 %73, ptr %79, align 1
  br label %80

80:                                               ; preds = %40, %66, %25, %27, %18, %70
  %81 = phi i64 [ %33, %70 ], [ -1, %18 ], [ -1, %25 ], [ -1, %66 ], [ -1, %27 ], [ -1, %40 ]
  ret i64 %81
}

define internal fastcc i64 @put_string(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) {
  %6 = alloca i64, align 8
  br label %7

7:                                                ; preds = %170, %5
  %8 = phi i64 [ %1, %5 ], [ %172, %170 ]
  %9 = phi ptr [ %3, %5 ], [ %171, %170 ]
  %10 = sub i64 %2, %8
  %11 = icmp sgt i64 %10, 15
  br i1 %11, label %13, label %12

12:                                               ; preds = %7
  store i64 %8, ptr %6, align 8
  br label %37

13:                                               ; preds = %7, %13
  %14 = phi ptr [ %25, %13 ], [ %9, %7 ]
  %15 = phi i64 [ %24, %13 ], [ %8, %7 ]
  %16 = getelementptr inbounds i8, ptr %0, i64 %15
  %17 = load <16 x i8>, ptr %16, align 1
  %18 = icmp eq <16 x i8> %17, splat (i8 34)
  %19 = icmp eq <16 x i8> %17, splat (i8 92)
  %20 = or <16 x i1> %18, %19
  %21 = icmp ult <16 x i8> %17, splat (i8 32)
  %22 = or <16 x i1> %21, %20
  %23 = bitcast <16 x i1> %22 to i16
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %14, ptr align 1 %16, i64 16, i1 false)
  %24 = add i64 %15, 16
  %25 = getelementptr inbounds i8, ptr %14, i64 16
  %26 = sub i64 %2, %24
  %27 = icmp sgt i64 %26, 15
  %28 = icmp eq i16 %23, 0
  %29 = select i1 %27, i1 %28, i1 false
  br i1 %29, label %13, label %30

30:                                               ; preds = %13
  store i64 %24, ptr %6, align 8
  br i1 %28, label %37, label %31

31:                                               ; preds = %30
  %32 = call i16 @llvm.cttz.i16(i16 %23, i1 true)
  %33 = or i16 %32, -16
  %34 = sext i16 %33 to i64
  %35 = add i64 %24, %34
  store i64 %35, ptr %6, align 8
  %36 = getelementptr inbounds i8, ptr %25, i64 %34
  br label %37

37:                                               ; preds = %12, %31, %30
  %38 = phi i64 [ %35, %31 ], [ %24, %30 ], [ %8, %12 ]
  %39 = phi ptr [ %36, %31 ], [ %25, %30 ], [ %9, %12 ]
  %40 = icmp slt i64 %38, %2
  br i1 %40, label %41, label %173

41:                                               ; preds = %37, %56
  %42 = phi i64 [ %59, %56 ], [ %38, %37 ]
  %43 = phi ptr [ %57, %56 ], [ %39, %37 ]
  %44 = getelementptr i8, ptr %0, i64 %42
  %45 = load i8, ptr %44, align 1
  %46 = icmp eq i8 %45, 34
  br i1 %46, label %47, label %52

47:                                               ; preds = %41
  %48 = ptrtoint ptr %43 to i64
  %49 = ptrtoint ptr %3 to i64
  %50 = sub i64 %48, %49
  store i64 %50, ptr %4, align 8
  %51 = add i64 %42, 1
  br label %173

52:                                               ; preds = %41
  %53 = icmp ult i8 %45, 32
  br i1 %53, label %173, label %54

54:                                               ; preds = %52
  %55 = icmp eq i8 %45, 92
  br i1 %55, label %61, label %56

56:                                               ; preds = %54
  %57 = getelementptr inbounds i8, ptr %43, i64 1
  store i8 %45, ptr %43, align 1
  %58 = load i64, ptr %6, align 8
  %59 = add i64 %58, 1
  store i64 %59, ptr %6, align 8
  %60 = icmp slt i64 %59, %2
  br i1 %60, label %41, label %173

61:                                               ; preds = %54
  %62 = getelementptr i8, ptr %0, i64 %42
  %63 = sub i64 %2, %42
  %64 = icmp slt i64 %63, 2
  br i1 %64, label %173, label %65

65:                                               ; preds = %61
  %66 = getelementptr i8, ptr %62, i64 1
  %67 = load i8, ptr %66, align 1
  switch i8 %67, label %173 [
    i8 92, label %68
    i8 47, label %68
    i8 34, label %68
    i8 117, label %76
    i8 116, label %72
    i8 114, label %72
    i8 110, label %72
    i8 102, label %72
    i8 98, label %72
  ]

68:                                               ; preds = %65, %65, %65
  %69 = getelementptr inbounds i8, ptr %43, i64 1
  store i8 %67, ptr %43, align 1
  %70 = load i64, ptr %6, align 8
  %71 = add i64 %70, 2
  store i64 %71, ptr %6, align 8
  br label %170

72:                                               ; preds = %65, %65, %65, %65, %65
  %73 = call fastcc i32 @spelled(ptr %0, ptr %6, ptr %43)
  %74 = zext i32 %73 to i64
  %75 = getelementptr inbounds i8, ptr %43, i64 %74
  br label %170

76:                                               ; preds = %65
  %77 = icmp ult i64 %63, 6
  br i1 %77, label %173, label %78

78:                                               ; preds = %76
  %79 = getelementptr i8, ptr %62, i64 2
  %80 = load i8, ptr %79, align 1
  %81 = add i8 %80, -58
  %82 = icmp ult i8 %81, -10
  %83 = and i8 %80, -33
  %84 = add i8 %83, -71
  %85 = icmp ult i8 %84, -6
  %86 = and i1 %82, %85
  br i1 %86, label %173, label %87

87:                                               ; preds = %78
  %88 = getelementptr i8, ptr %62, i64 3
  %89 = load i8, ptr %88, align 1
  %90 = add i8 %89, -58
  %91 = icmp ult i8 %90, -10
  %92 = and i8 %89, -33
  %93 = add i8 %92, -71
  %94 = icmp ult i8 %93, -6
  %95 = and i1 %91, %94
  br i1 %95, label %173, label %96

96:                                               ; preds = %87
  %97 = getelementptr i8, ptr %62, i64 4
  %98 = load i8, ptr %97, align 1
  %99 = add i8 %98, -58
  %100 = icmp ult i8 %99, -10
  %101 = and i8 %98, -33
  %102 = add i8 %101, -71
  %103 = icmp ult i8 %102, -6
  %104 = and i1 %100, %103
  br i1 %104, label %173, label %105

105:                                              ; preds = %96
  %106 = getelementptr i8, ptr %62, i64 5
  %107 = load i8, ptr %106, align 1
  %108 = add i8 %107, -58
  %109 = icmp ult i8 %108, -10
  %110 = and i8 %107, -33
  %111 = add i8 %110, -71
  %112 = icmp ult i8 %111, -6
  %113 = and i1 %109, %112
  br i1 %113, label %173, label %114

114:                                              ; preds = %105, %114
  %115 = phi i64 [ %127, %114 ], [ 0, %105 ]
  %116 = phi i32 [ %126, %114 ], [ 0, %105 ]
  %117 = shl i32 %116, 4
  %118 = getelementptr inbounds i8, ptr %79, i64 %115
  %119 = load i8, ptr %118, align 1
  %120 = zext i8 %119 to i32
  %121 = icmp ult i8 %119, 58
  %122 = add i32 %120, -48
  %123 = or i32 %120, 32
  %124 = add i32 %123, -87
  %125 = select i1 %121, i32 %122, i32 %124
  %126 = add i32 %125, %117
  %127 = add i64 %115, 1
  %128 = icmp eq i64 %127, 4
  br i1 %128, label %129, label %114

129:                                              ; preds = %114
  %130 = and i32 %126, -1024
  %131 = icmp eq i32 %130, 55296
  br i1 %131, label %132, label %155

132:                                              ; preds = %129
  %133 = icmp ult i64 %63, 12
  br i1 %133, label %173, label %134

134:                                              ; preds = %132
  %135 = getelementptr i8, ptr %62, i64 6
  %136 = load i8, ptr %135, align 1
  %137 = icmp eq i8 %136, 92
  br i1 %137, label %138, label %173

138:                                              ; preds = %134
  %139 = getelementptr i8, ptr %62, i64 7
  %140 = load i8, ptr %139, align 1
  %141 = icmp eq i8 %140, 117
  br i1 %141, label %145, label %173

142:                                              ; preds = %145
  %143 = add i64 %146, 1
  %144 = icmp eq i64 %143, 12
  br i1 %144, label %155, label %145

145:                                              ; preds = %138, %142
  %146 = phi i64 [ %143, %142 ], [ 8, %138 ]
  %147 = getelementptr i8, ptr %62, i64 %146
  %148 = load i8, ptr %147, align 1
  %149 = add i8 %148, -58
  %150 = icmp ult i8 %149, -10
  %151 = and i8 %148, -33
  %152 = add i8 %151, -71
  %153 = icmp ult i8 %152, -6
  %154 = and i1 %150, %153
  br i1 %154, label %173, label %142

155:                                              ; preds = %142, %129
  %156 = call fastcc i32 @spelled(ptr %0, ptr %6, ptr %43)
  %157 = load i8, ptr %43, align 1
  %158 = icmp eq i8 %157, 0
  br i1 %158, label %173, label %159

159:                                              ; preds = %155
  %160 = icmp eq i32 %156, 3
  %161 = icmp eq i8 %157, -19
  %162 = and i1 %160, %161
  br i1 %162, label %163, label %167

163:                                              ; preds = %159
  %164 = getelementptr inbounds i8, ptr %43, i64 1
  %165 = load i8, ptr %164, align 1
  %166 = icmp ugt i8 %165, -97
  br i1 %166, label %173, label %167

167:                                              ; preds = %163, %159
  %168 = zext i32 %156 to i64
  %169 = getelementptr inbounds i8, ptr %43, i64 %168
  br label %170

170:                                              ; preds = %68, %72, %167
  %171 = phi ptr [ %69, %68 ], [ %169, %167 ], [ %75, %72 ]
  %172 = load i64, ptr %6, align 8
  br label %7

173:                                              ; preds = %61, %155, %65, %76, %132, %105, %96, %87, %78, %138, %134, %163, %37, %56, %52, %145, %47
  %174 = phi i64 [ %51, %47 ], [ -1, %56 ], [ -1, %145 ], [ -1, %52 ], [ -1, %37 ], [ -1, %163 ], [ -1, %134 ], [ -1, %138 ], [ -1, %78 ], [ -1, %87 ], [ -1, %96 ], [ -1, %105 ], [ -1, %132 ], [ -1, %76 ], [ -1, %65 ], [ -1, %155 ], [ -1, %61 ]
  ret i64 %174
}

define internal fastcc i64 @digits_of(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) {
  %6 = icmp slt i64 %1, %2
  br i1 %6, label %7, label %83

7:                                                ; preds = %5, %22
  %8 = phi i32 [ %20, %22 ], [ 0, %5 ]
  %9 = phi i64 [ %26, %22 ], [ 0, %5 ]
  %10 = phi i64 [ %27, %22 ], [ %1, %5 ]
  %11 = getelementptr inbounds i8, ptr %0, i64 %10
  %12 = load i8, ptr %11, align 1
  %13 = add i8 %12, -58
  %14 = icmp ult i8 %13, -10
  br i1 %14, label %29, label %15

15:                                               ; preds = %7
  %16 = icmp ne i32 %8, 0
  %17 = icmp ne i8 %12, 48
  %18 = or i1 %16, %17
  %19 = zext i1 %18 to i32
  %20 = add i32 %8, %19
  %21 = icmp ugt i32 %20, 19
  br i1 %21, label %83, label %22

22:                                               ; preds = %15
  %23 = mul i64 %9, 10
  %24 = zext i8 %12 to i64
  %25 = add i64 %23, -48
  %26 = add i64 %25, %24
  %27 = add i64 %10, 1
  %28 = icmp eq i64 %27, %2
  br i1 %28, label %29, label %7

29:                                               ; preds = %7, %22
  %30 = phi i64 [ %10, %7 ], [ %2, %22 ]
  %31 = phi i64 [ %9, %7 ], [ %26, %22 ]
  %32 = phi i32 [ %8, %7 ], [ %20, %22 ]
  %33 = icmp eq i64 %30, %1
  br i1 %33, label %83, label %34

34:                                               ; preds = %29
  %35 = getelementptr inbounds i8, ptr %0, i64 %1
  %36 = load i8, ptr %35, align 1
  %37 = icmp eq i8 %36, 48
  %38 = sub i64 %30, %1
  %39 = icmp sgt i64 %38, 1
  %40 = select i1 %37, i1 %39, i1 false
  br i1 %40, label %83, label %41

41:                                               ; preds = %34
  store i64 0, ptr %4, align 8
  br i1 %14, label %42, label %80

42:                                               ; preds = %41
  %43 = getelementptr inbounds i8, ptr %0, i64 %30
  %44 = load i8, ptr %43, align 1
  %45 = icmp eq i8 %44, 46
  br i1 %45, label %46, label %80

46:                                               ; preds = %42
  %47 = add i64 %30, 1
  %48 = icmp slt i64 %47, %2
  br i1 %48, label %49, label %83

49:                                               ; preds = %46, %64
  %50 = phi i32 [ %62, %64 ], [ %32, %46 ]
  %51 = phi i64 [ %68, %64 ], [ %31, %46 ]
  %52 = phi i64 [ %69, %64 ], [ %47, %46 ]
  %53 = getelementptr inbounds i8, ptr %0, i64 %52
  %54 = load i8, ptr %53, align 1
  %55 = add i8 %54, -58
  %56 = icmp ult i8 %55, -10
  br i1 %56, label %71, label %57

57:                                               ; preds = %49
  %58 = icmp ne i32 %50, 0
  %59 = icmp ne i8 %54, 48
  %60 = or i1 %58, %59
  %61 = zext i1 %60 to i32
  %62 = add i32 %50, %61
  %63 = icmp ugt i32 %62, 19
  br i1 %63, label %83, label %64

64:                                               ; preds = %57
  %65 = mul i64 %51, 10
  %66 = zext i8 %54 to i64
  %67 = add i64 %65, -48
  %68 = add i64 %67, %66
  %69 = add i64 %52, 1
  %70 = icmp eq i64 %69, %2
  br i1 %70, label %71, label %49

71:                                               ; preds = %49, %64
  %72 = phi i64 [ %2, %64 ], [ %52, %49 ]
  %73 = phi i64 [ %68, %64 ], [ %51, %49 ]
  %74 = icmp eq i64 %72, %47
  %75 = sub i64 %72, %47
  %76 = icmp sgt i64 %75, 60
  %77 = select i1 %74, i1 true, i1 %76
  br i1 %77, label %83, label %78

78:                                               ; preds = %71
  %79 = sub i64 %47, %72
  store i64 %79, ptr %4, align 8
  br label %80

80:                                               ; preds = %78, %42, %41
  %81 = phi i64 [ %72, %78 ], [ %30, %42 ], [ %30, %41 ]
  %82 = phi i64 [ %73, %78 ], [ %31, %42 ], [ %31, %41 ]
  store i64 %82, ptr %3, align 8
  br label %83

83:                                               ; preds = %15, %57, %46, %5, %71, %29, %34, %80
  %84 = phi i64 [ %81, %80 ], [ -1, %5 ], [ -1, %29 ], [ -1, %71 ], [ -1, %34 ], [ -1, %46 ], [ -1, %57 ], [ -1, %15 ]
  ret i64 %84
}

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}

declare void @llvm.memset.p0.i64(ptr , i8, i64, i1 immarg)

declare i64 @llvm.smax.i64(i64, i64)

declare i16 @llvm.cttz.i16(i16, i1 immarg)
