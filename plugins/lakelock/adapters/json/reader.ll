; Made of reader.c by `python -m native`; SHA-256 of that file and what it includes:
; 24900b0c304230f8e74098d563148e4ac22e332e12c26dc3fd49a451f81e8355

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
  br i1 %19, label %630, label %13

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
  br label %630

29:                                               ; preds = %23, %20
  %30 = icmp slt i64 %21, %3
  br i1 %30, label %31, label %630

31:                                               ; preds = %29
  %32 = trunc i64 %4 to i32
  %33 = xor i32 %32, -2128831035
  %34 = getelementptr inbounds i8, ptr %0, i64 32
  %35 = getelementptr inbounds i8, ptr %0, i64 24
  %36 = getelementptr inbounds i8, ptr %0, i64 56
  br label %37

37:                                               ; preds = %31, %627
  %38 = phi i64 [ %21, %31 ], [ %628, %627 ]
  %39 = phi ptr [ %11, %31 ], [ %193, %627 ]
  %40 = getelementptr inbounds i8, ptr %1, i64 %38
  %41 = load i8, ptr %40, align 1
  %42 = icmp eq i8 %41, 34
  br i1 %42, label %43, label %630

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
  br label %181

92:                                               ; preds = %67, %82, %54, %49, %43
  store i32 0, ptr %8, align 4
  %93 = call fastcc i64 @end_of_string(ptr %1, i64 %44, i64 %3, ptr %8)
  %94 = icmp sgt i64 %93, -1
  %95 = load i32, ptr %8, align 4
  %96 = icmp eq i32 %95, 0
  %97 = select i1 %94, i1 %96, i1 false
  br i1 %97, label %99, label %98

98:                                               ; preds = %92
  br label %630

99:                                               ; preds = %92
  %100 = getelementptr inbounds i8, ptr %1, i64 %44
  %101 = sub i64 %93, %38
  %102 = add i64 %101, -2
  %103 = getelementptr inbounds %struct.node, ptr %46, i64 %4
  %104 = icmp sgt i64 %102, 0
  br i1 %104, label %120, label %105

105:                                              ; preds = %120, %99
  %106 = phi i32 [ %33, %99 ], [ %127, %120 ]
  %107 = zext i32 %106 to i64
  %108 = load i64, ptr %34, align 8
  %109 = and i64 %108, %107
  %110 = load ptr, ptr %35, align 8
  %111 = getelementptr inbounds i64, ptr %110, i64 %109
  %112 = load i64, ptr %111, align 8
  %113 = icmp slt i64 %112, 0
  br i1 %113, label %114, label %115

114:                                              ; preds = %105
  br label %189

115:                                              ; preds = %105
  %116 = getelementptr inbounds i8, ptr %103, i64 16
  %117 = load i64, ptr %116, align 8
  %118 = getelementptr inbounds i8, ptr %103, i64 24
  %119 = icmp sgt i64 %102, 7
  br label %130

120:                                              ; preds = %99, %120
  %121 = phi i32 [ %127, %120 ], [ %33, %99 ]
  %122 = phi i64 [ %128, %120 ], [ 0, %99 ]
  %123 = getelementptr inbounds i8, ptr %100, i64 %122
  %124 = load i8, ptr %123, align 1
  %125 = zext i8 %124 to i32
  %126 = xor i32 %121, %125
  %127 = mul i32 %126, 16777619
  %128 = add i64 %122, 1
  %129 = icmp eq i64 %128, %102
  br i1 %129, label %105, label %120

130:                                              ; preds = %172, %115
  %131 = phi i64 [ %112, %115 ], [ %176, %172 ]
  %132 = phi i64 [ %109, %115 ], [ %174, %172 ]
  %133 = getelementptr inbounds %struct.node, ptr %46, i64 %131
  %134 = icmp slt i64 %131, %117
  br i1 %134, label %172, label %135

135:                                              ; preds = %130
  %136 = load i64, ptr %118, align 8
  %137 = add i64 %136, %117
  %138 = icmp slt i64 %131, %137
  br i1 %138, label %139, label %172

139:                                              ; preds = %135
  %140 = getelementptr inbounds i8, ptr %133, i64 8
  %141 = load i64, ptr %140, align 8
  %142 = icmp eq i64 %141, %102
  br i1 %142, label %143, label %172

143:                                              ; preds = %139
  %144 = load ptr, ptr %133, align 8
  br i1 %119, label %150, label %145

145:                                              ; preds = %157, %143
  %146 = phi ptr [ %100, %143 ], [ %159, %157 ]
  %147 = phi ptr [ %144, %143 ], [ %160, %157 ]
  %148 = phi i64 [ %102, %143 ], [ %158, %157 ]
  %149 = icmp sgt i64 %148, 0
  br i1 %149, label %165, label %178

150:                                              ; preds = %143, %157
  %151 = phi i64 [ %158, %157 ], [ %102, %143 ]
  %152 = phi ptr [ %160, %157 ], [ %144, %143 ]
  %153 = phi ptr [ %159, %157 ], [ %100, %143 ]
  %154 = load i64, ptr %153, align 1
  %155 = load i64, ptr %152, align 1
  %156 = icmp eq i64 %154, %155
  br i1 %156, label %157, label %172

157:                                              ; preds = %150
  %158 = add i64 %151, -8
  %159 = getelementptr inbounds i8, ptr %153, i64 8
  %160 = getelementptr inbounds i8, ptr %152, i64 8
  %161 = icmp ugt i64 %151, 15
  br i1 %161, label %150, label %145

162:                                              ; preds = %165
  %163 = add i64 %166, 1
  %164 = icmp eq i64 %163, %148
  br i1 %164, label %178, label %165

165:                                              ; preds = %145, %162
  %166 = phi i64 [ %163, %162 ], [ 0, %145 ]
  %167 = getelementptr inbounds i8, ptr %146, i64 %166
  %168 = load i8, ptr %167, align 1
  %169 = getelementptr inbounds i8, ptr %147, i64 %166
  %170 = load i8, ptr %169, align 1
  %171 = icmp eq i8 %168, %170
  br i1 %171, label %162, label %172

172:                                              ; preds = %150, %165, %139, %135, %130
  %173 = add i64 %132, 1
  %174 = and i64 %173, %108
  %175 = getelementptr inbounds i64, ptr %110, i64 %174
  %176 = load i64, ptr %175, align 8
  %177 = icmp slt i64 %176, 0
  br i1 %177, label %179, label %130

178:                                              ; preds = %145, %162
  store i64 %131, ptr %39, align 8
  br label %179

179:                                              ; preds = %172, %178
  %180 = phi i64 [ %131, %178 ], [ -1, %172 ]
  br label %181

181:                                              ; preds = %179, %89
  %182 = phi i64 [ %45, %89 ], [ %180, %179 ]
  %183 = phi i64 [ %91, %89 ], [ %93, %179 ]
  %184 = icmp sgt i64 %182, -1
  br i1 %184, label %185, label %189

185:                                              ; preds = %181
  %186 = load ptr, ptr %0, align 8
  %187 = getelementptr inbounds %struct.node, ptr %186, i64 %182
  %188 = getelementptr inbounds i8, ptr %187, i64 64
  br label %189

189:                                              ; preds = %114, %185, %181
  %190 = phi i1 [ true, %185 ], [ false, %181 ], [ false, %114 ]
  %191 = phi i64 [ %183, %185 ], [ %183, %181 ], [ %93, %114 ]
  %192 = phi i64 [ %182, %185 ], [ -1, %181 ], [ -1, %114 ]
  %193 = phi ptr [ %188, %185 ], [ %39, %181 ], [ %39, %114 ]
  %194 = icmp slt i64 %191, %3
  br i1 %194, label %195, label %202

195:                                              ; preds = %189, %199
  %196 = phi i64 [ %200, %199 ], [ %191, %189 ]
  %197 = getelementptr inbounds i8, ptr %1, i64 %196
  %198 = load i8, ptr %197, align 1
  switch i8 %198, label %202 [
    i8 32, label %199
    i8 13, label %199
    i8 9, label %199
    i8 10, label %199
  ]

199:                                              ; preds = %195, %195, %195, %195
  %200 = add i64 %196, 1
  %201 = icmp eq i64 %200, %3
  br i1 %201, label %630, label %195

202:                                              ; preds = %195, %189
  %203 = phi i64 [ %191, %189 ], [ %196, %195 ]
  %204 = icmp slt i64 %203, %3
  br i1 %204, label %205, label %630

205:                                              ; preds = %202
  %206 = getelementptr inbounds i8, ptr %1, i64 %203
  %207 = load i8, ptr %206, align 1
  %208 = icmp eq i8 %207, 58
  br i1 %208, label %209, label %630

209:                                              ; preds = %205
  %210 = add i64 %203, 1
  %211 = icmp slt i64 %210, %3
  br i1 %211, label %212, label %219

212:                                              ; preds = %209, %216
  %213 = phi i64 [ %217, %216 ], [ %210, %209 ]
  %214 = getelementptr inbounds i8, ptr %1, i64 %213
  %215 = load i8, ptr %214, align 1
  switch i8 %215, label %219 [
    i8 32, label %216
    i8 13, label %216
    i8 9, label %216
    i8 10, label %216
  ]

216:                                              ; preds = %212, %212, %212, %212
  %217 = add i64 %213, 1
  %218 = icmp eq i64 %217, %3
  br i1 %218, label %630, label %212

219:                                              ; preds = %212, %209
  %220 = phi i64 [ %210, %209 ], [ %213, %212 ]
  %221 = icmp slt i64 %220, %3
  br i1 %221, label %222, label %630

222:                                              ; preds = %219
  br i1 %190, label %223, label %230

223:                                              ; preds = %222
  %224 = load ptr, ptr %0, align 8
  %225 = getelementptr inbounds %struct.node, ptr %224, i64 %192
  %226 = getelementptr inbounds i8, ptr %225, i64 48
  %227 = load i64, ptr %226, align 8
  %228 = trunc i64 %227 to i32
  %229 = call fastcc i64 @value_of(ptr %0, ptr %1, i64 %220, i64 %3, i64 %192, i32 %228)
  br label %597

230:                                              ; preds = %222
  %231 = load i64, ptr %36, align 8
  %232 = icmp eq i64 %231, 0
  br i1 %232, label %630, label %233

233:                                              ; preds = %230, %592
  %234 = phi i64 [ %595, %592 ], [ %220, %230 ]
  %235 = phi i32 [ %594, %592 ], [ 0, %230 ]
  %236 = phi i64 [ %593, %592 ], [ 0, %230 ]
  %237 = getelementptr inbounds i8, ptr %1, i64 %234
  %238 = load i8, ptr %237, align 1
  %239 = icmp eq i8 %238, 123
  switch i8 %238, label %362 [
    i8 123, label %240
    i8 91, label %240
    i8 34, label %268
    i8 110, label %347
    i8 116, label %317
    i8 102, label %332
  ]

240:                                              ; preds = %233, %233
  %241 = add i32 %235, 1
  %242 = icmp eq i32 %235, 64
  br i1 %242, label %630, label %243

243:                                              ; preds = %240
  %244 = shl i64 %236, 1
  %245 = zext i1 %239 to i64
  %246 = or i64 %244, %245
  %247 = add i64 %234, 1
  %248 = icmp slt i64 %247, %3
  br i1 %248, label %249, label %256

249:                                              ; preds = %243, %253
  %250 = phi i64 [ %254, %253 ], [ %247, %243 ]
  %251 = getelementptr inbounds i8, ptr %1, i64 %250
  %252 = load i8, ptr %251, align 1
  switch i8 %252, label %256 [
    i8 32, label %253
    i8 13, label %253
    i8 9, label %253
    i8 10, label %253
  ]

253:                                              ; preds = %249, %249, %249, %249
  %254 = add i64 %250, 1
  %255 = icmp eq i64 %254, %3
  br i1 %255, label %630, label %249

256:                                              ; preds = %249, %243
  %257 = phi i64 [ %247, %243 ], [ %250, %249 ]
  %258 = icmp slt i64 %257, %3
  br i1 %258, label %259, label %630

259:                                              ; preds = %256
  %260 = getelementptr inbounds i8, ptr %1, i64 %257
  %261 = load i8, ptr %260, align 1
  %262 = add i8 %238, 2
  %263 = icmp eq i8 %261, %262
  br i1 %263, label %265, label %264

264:                                              ; preds = %259
  br i1 %239, label %510, label %592

265:                                              ; preds = %259
  %266 = add i64 %257, 1
  %267 = and i64 %236, 9223372036854775807
  br label %462

268:                                              ; preds = %233
  %269 = add i64 %234, 1
  store i32 0, ptr %7, align 4
  %270 = call fastcc i64 @end_of_string(ptr %1, i64 %269, i64 %3, ptr %7)
  %271 = icmp slt i64 %270, 0
  br i1 %271, label %315, label %272

272:                                              ; preds = %268
  %273 = load i32, ptr %7, align 4
  %274 = icmp eq i32 %273, 0
  %275 = add i64 %270, -1
  %276 = icmp sge i64 %269, %275
  %277 = select i1 %274, i1 true, i1 %276
  br i1 %277, label %278, label %279

278:                                              ; preds = %272
  br label %462

279:                                              ; preds = %272, %311
  %280 = phi i64 [ %313, %311 ], [ %269, %272 ]
  %281 = getelementptr inbounds i8, ptr %1, i64 %280
  %282 = load i8, ptr %281, align 1
  %283 = icmp eq i8 %282, 92
  br i1 %283, label %284, label %311

284:                                              ; preds = %279
  %285 = add i64 %280, 1
  %286 = getelementptr inbounds i8, ptr %1, i64 %285
  %287 = load i8, ptr %286, align 1
  %288 = icmp eq i8 %287, 117
  br i1 %288, label %289, label %311

289:                                              ; preds = %284
  %290 = getelementptr inbounds i8, ptr %286, i64 1
  br label %291

291:                                              ; preds = %291, %289
  %292 = phi i64 [ 0, %289 ], [ %304, %291 ]
  %293 = phi i32 [ 0, %289 ], [ %303, %291 ]
  %294 = shl i32 %293, 4
  %295 = getelementptr inbounds i8, ptr %290, i64 %292
  %296 = load i8, ptr %295, align 1
  %297 = zext i8 %296 to i32
  %298 = icmp ult i8 %296, 58
  %299 = add i32 %297, -48
  %300 = or i32 %297, 32
  %301 = add i32 %300, -87
  %302 = select i1 %298, i32 %299, i32 %301
  %303 = add i32 %302, %294
  %304 = add i64 %292, 1
  %305 = icmp eq i64 %304, 4
  br i1 %305, label %306, label %291

306:                                              ; preds = %291
  %307 = icmp eq i32 %303, 0
  %308 = and i32 %303, -2048
  %309 = icmp eq i32 %308, 55296
  %310 = or i1 %307, %309
  br i1 %310, label %315, label %311

311:                                              ; preds = %306, %284, %279
  %312 = phi i64 [ %280, %279 ], [ %285, %284 ], [ %285, %306 ]
  %313 = add i64 %312, 1
  %314 = icmp slt i64 %313, %275
  br i1 %314, label %279, label %316

315:                                              ; preds = %268, %306
  br label %630

316:                                              ; preds = %311
  br label %462

317:                                              ; preds = %233
  %318 = sub i64 %3, %234
  %319 = icmp slt i64 %318, 4
  br i1 %319, label %630, label %323

320:                                              ; preds = %323
  %321 = add i64 %324, 1
  %322 = icmp eq i64 %321, 4
  br i1 %322, label %330, label %323

323:                                              ; preds = %317, %320
  %324 = phi i64 [ %321, %320 ], [ 0, %317 ]
  %325 = getelementptr i8, ptr %237, i64 %324
  %326 = load i8, ptr %325, align 1
  %327 = getelementptr inbounds i8, ptr @.str.1, i64 %324
  %328 = load i8, ptr %327, align 1
  %329 = icmp eq i8 %326, %328
  br i1 %329, label %320, label %630

330:                                              ; preds = %320
  %331 = add i64 %234, 4
  br label %446

332:                                              ; preds = %233
  %333 = sub i64 %3, %234
  %334 = icmp slt i64 %333, 5
  br i1 %334, label %630, label %338

335:                                              ; preds = %338
  %336 = add i64 %339, 1
  %337 = icmp eq i64 %336, 5
  br i1 %337, label %345, label %338

338:                                              ; preds = %332, %335
  %339 = phi i64 [ %336, %335 ], [ 0, %332 ]
  %340 = getelementptr i8, ptr %237, i64 %339
  %341 = load i8, ptr %340, align 1
  %342 = getelementptr inbounds i8, ptr @.str.2, i64 %339
  %343 = load i8, ptr %342, align 1
  %344 = icmp eq i8 %341, %343
  br i1 %344, label %335, label %630

345:                                              ; preds = %335
  %346 = add i64 %234, 5
  br label %446

347:                                              ; preds = %233
  %348 = sub i64 %3, %234
  %349 = icmp slt i64 %348, 4
  br i1 %349, label %630, label %353

350:                                              ; preds = %353
  %351 = add i64 %354, 1
  %352 = icmp eq i64 %351, 4
  br i1 %352, label %360, label %353

353:                                              ; preds = %347, %350
  %354 = phi i64 [ %351, %350 ], [ 0, %347 ]
  %355 = getelementptr i8, ptr %237, i64 %354
  %356 = load i8, ptr %355, align 1
  %357 = getelementptr inbounds i8, ptr @.str, i64 %354
  %358 = load i8, ptr %357, align 1
  %359 = icmp eq i8 %356, %358
  br i1 %359, label %350, label %630

360:                                              ; preds = %350
  %361 = add i64 %234, 4
  br label %446

362:                                              ; preds = %233
  %363 = icmp eq i8 %238, 45
  %364 = zext i1 %363 to i64
  %365 = add i64 %234, %364
  %366 = icmp slt i64 %365, %3
  br i1 %366, label %367, label %630

367:                                              ; preds = %362
  %368 = getelementptr inbounds i8, ptr %1, i64 %365
  %369 = load i8, ptr %368, align 1
  %370 = icmp eq i8 %369, 48
  br i1 %370, label %371, label %373

371:                                              ; preds = %367
  %372 = add i64 %365, 1
  br label %388

373:                                              ; preds = %367
  %374 = add i8 %369, -58
  %375 = icmp ult i8 %374, -10
  br i1 %375, label %630, label %376

376:                                              ; preds = %373, %382
  %377 = phi i64 [ %383, %382 ], [ %365, %373 ]
  %378 = getelementptr inbounds i8, ptr %1, i64 %377
  %379 = load i8, ptr %378, align 1
  %380 = add i8 %379, -58
  %381 = icmp ult i8 %380, -10
  br i1 %381, label %385, label %382

382:                                              ; preds = %376
  %383 = add i64 %377, 1
  %384 = icmp eq i64 %383, %3
  br i1 %384, label %385, label %376

385:                                              ; preds = %382, %376
  %386 = phi i64 [ %377, %376 ], [ %3, %382 ]
  %387 = icmp slt i64 %386, 0
  br i1 %387, label %630, label %388

388:                                              ; preds = %385, %371
  %389 = phi i64 [ %372, %371 ], [ %386, %385 ]
  %390 = icmp slt i64 %389, %3
  br i1 %390, label %391, label %415

391:                                              ; preds = %388
  %392 = getelementptr inbounds i8, ptr %1, i64 %389
  %393 = load i8, ptr %392, align 1
  %394 = icmp eq i8 %393, 46
  br i1 %394, label %395, label %415

395:                                              ; preds = %391
  %396 = add i64 %389, 1
  %397 = icmp slt i64 %396, %3
  br i1 %397, label %398, label %630

398:                                              ; preds = %395
  %399 = getelementptr inbounds i8, ptr %1, i64 %396
  %400 = load i8, ptr %399, align 1
  %401 = add i8 %400, -58
  %402 = icmp ult i8 %401, -10
  br i1 %402, label %630, label %403

403:                                              ; preds = %398, %409
  %404 = phi i64 [ %410, %409 ], [ %396, %398 ]
  %405 = getelementptr inbounds i8, ptr %1, i64 %404
  %406 = load i8, ptr %405, align 1
  %407 = add i8 %406, -58
  %408 = icmp ult i8 %407, -10
  br i1 %408, label %412, label %409

409:                                              ; preds = %403
  %410 = add i64 %404, 1
  %411 = icmp eq i64 %410, %3
  br i1 %411, label %412, label %403

412:                                              ; preds = %409, %403
  %413 = phi i64 [ %3, %409 ], [ %404, %403 ]
  %414 = icmp slt i64 %413, 0
  br i1 %414, label %630, label %415

415:                                              ; preds = %412, %391, %388
  %416 = phi i64 [ %413, %412 ], [ %389, %391 ], [ %389, %388 ]
  %417 = icmp slt i64 %416, %3
  br i1 %417, label %418, label %446

418:                                              ; preds = %415
  %419 = getelementptr inbounds i8, ptr %1, i64 %416
  %420 = load i8, ptr %419, align 1
  switch i8 %420, label %446 [
    i8 101, label %421
    i8 69, label %421
  ]

421:                                              ; preds = %418, %418
  %422 = add i64 %416, 1
  %423 = icmp slt i64 %422, %3
  br i1 %423, label %424, label %429

424:                                              ; preds = %421
  %425 = getelementptr inbounds i8, ptr %1, i64 %422
  %426 = load i8, ptr %425, align 1
  switch i8 %426, label %429 [
    i8 43, label %427
    i8 45, label %427
  ]

427:                                              ; preds = %424, %424
  %428 = add i64 %416, 2
  br label %429

429:                                              ; preds = %427, %424, %421
  %430 = phi i64 [ %428, %427 ], [ %422, %424 ], [ %422, %421 ]
  %431 = icmp slt i64 %430, %3
  br i1 %431, label %432, label %630

432:                                              ; preds = %429
  %433 = getelementptr inbounds i8, ptr %1, i64 %430
  %434 = load i8, ptr %433, align 1
  %435 = add i8 %434, -58
  %436 = icmp ult i8 %435, -10
  br i1 %436, label %630, label %437

437:                                              ; preds = %432, %443
  %438 = phi i64 [ %444, %443 ], [ %430, %432 ]
  %439 = getelementptr inbounds i8, ptr %1, i64 %438
  %440 = load i8, ptr %439, align 1
  %441 = add i8 %440, -58
  %442 = icmp ult i8 %441, -10
  br i1 %442, label %446, label %443

443:                                              ; preds = %437
  %444 = add i64 %438, 1
  %445 = icmp eq i64 %444, %3
  br i1 %445, label %446, label %437

446:                                              ; preds = %443, %437, %418, %415, %360, %345, %330
  %447 = phi i64 [ %331, %330 ], [ %346, %345 ], [ %416, %415 ], [ %361, %360 ], [ %416, %418 ], [ %3, %443 ], [ %438, %437 ]
  %448 = icmp slt i64 %447, 0
  %449 = sub i64 %447, %234
  %450 = icmp sgt i64 %449, 100
  %451 = select i1 %448, i1 true, i1 %450
  br i1 %451, label %630, label %452

452:                                              ; preds = %446
  switch i8 %238, label %453 [
    i8 116, label %462
    i8 102, label %462
  ]

453:                                              ; preds = %452, %456
  %454 = phi i64 [ %461, %456 ], [ %234, %452 ]
  %455 = icmp slt i64 %454, %447
  br i1 %455, label %456, label %462

456:                                              ; preds = %453
  %457 = getelementptr inbounds i8, ptr %1, i64 %454
  %458 = load i8, ptr %457, align 1
  %459 = and i8 %458, -33
  %460 = icmp eq i8 %459, 69
  %461 = add i64 %454, 1
  br i1 %460, label %630, label %453

462:                                              ; preds = %453, %452, %452, %316, %278, %265
  %463 = phi i64 [ %267, %265 ], [ %236, %316 ], [ %236, %278 ], [ %236, %452 ], [ %236, %452 ], [ %236, %453 ]
  %464 = phi i64 [ %266, %265 ], [ %270, %316 ], [ %270, %278 ], [ %447, %452 ], [ %447, %452 ], [ %447, %453 ]
  %465 = icmp eq i32 %235, 0
  br i1 %465, label %597, label %466

466:                                              ; preds = %462, %491
  %467 = phi i64 [ %492, %491 ], [ %464, %462 ]
  %468 = phi i32 [ %493, %491 ], [ %235, %462 ]
  %469 = phi i64 [ %494, %491 ], [ %463, %462 ]
  %470 = icmp slt i64 %467, %3
  br i1 %470, label %471, label %478

471:                                              ; preds = %466, %475
  %472 = phi i64 [ %476, %475 ], [ %467, %466 ]
  %473 = getelementptr inbounds i8, ptr %1, i64 %472
  %474 = load i8, ptr %473, align 1
  switch i8 %474, label %478 [
    i8 32, label %475
    i8 13, label %475
    i8 9, label %475
    i8 10, label %475
  ]

475:                                              ; preds = %471, %471, %471, %471
  %476 = add i64 %472, 1
  %477 = icmp eq i64 %476, %3
  br i1 %477, label %630, label %471

478:                                              ; preds = %471, %466
  %479 = phi i64 [ %467, %466 ], [ %472, %471 ]
  %480 = icmp slt i64 %479, %3
  br i1 %480, label %481, label %630

481:                                              ; preds = %478
  %482 = getelementptr inbounds i8, ptr %1, i64 %479
  %483 = load i8, ptr %482, align 1
  %484 = icmp eq i8 %483, 44
  br i1 %484, label %496, label %485

485:                                              ; preds = %481
  %486 = zext i8 %483 to i32
  %487 = and i64 %469, 1
  %488 = icmp eq i64 %487, 0
  %489 = select i1 %488, i32 93, i32 125
  %490 = icmp eq i32 %489, %486
  br i1 %490, label %491, label %630

491:                                              ; preds = %485
  %492 = add i64 %479, 1
  %493 = add i32 %468, -1
  %494 = lshr i64 %469, 1
  %495 = icmp eq i32 %493, 0
  br i1 %495, label %597, label %466

496:                                              ; preds = %481
  %497 = add i64 %479, 1
  %498 = icmp slt i64 %497, %3
  br i1 %498, label %499, label %506

499:                                              ; preds = %496, %503
  %500 = phi i64 [ %504, %503 ], [ %497, %496 ]
  %501 = getelementptr inbounds i8, ptr %1, i64 %500
  %502 = load i8, ptr %501, align 1
  switch i8 %502, label %506 [
    i8 32, label %503
    i8 13, label %503
    i8 9, label %503
    i8 10, label %503
  ]

503:                                              ; preds = %499, %499, %499, %499
  %504 = add i64 %500, 1
  %505 = icmp eq i64 %504, %3
  br i1 %505, label %506, label %499

506:                                              ; preds = %503, %499, %496
  %507 = phi i64 [ %497, %496 ], [ %500, %499 ], [ %3, %503 ]
  %508 = and i64 %469, 1
  %509 = icmp eq i64 %508, 0
  br i1 %509, label %592, label %510

510:                                              ; preds = %506, %264
  %511 = phi i64 [ %246, %264 ], [ %469, %506 ]
  %512 = phi i32 [ %241, %264 ], [ %468, %506 ]
  %513 = phi i64 [ %257, %264 ], [ %507, %506 ]
  %514 = icmp slt i64 %513, %3
  br i1 %514, label %515, label %630

515:                                              ; preds = %510
  %516 = getelementptr inbounds i8, ptr %1, i64 %513
  %517 = load i8, ptr %516, align 1
  %518 = icmp eq i8 %517, 34
  br i1 %518, label %519, label %630

519:                                              ; preds = %515
  %520 = add i64 %513, 1
  store i32 0, ptr %6, align 4
  %521 = call fastcc i64 @end_of_string(ptr %1, i64 %520, i64 %3, ptr %6)
  %522 = icmp slt i64 %521, 0
  br i1 %522, label %565, label %523

523:                                              ; preds = %519
  %524 = load i32, ptr %6, align 4
  %525 = icmp eq i32 %524, 0
  %526 = add i64 %521, -1
  %527 = icmp sge i64 %520, %526
  %528 = select i1 %525, i1 true, i1 %527
  br i1 %528, label %566, label %529

529:                                              ; preds = %523, %561
  %530 = phi i64 [ %563, %561 ], [ %520, %523 ]
  %531 = getelementptr inbounds i8, ptr %1, i64 %530
  %532 = load i8, ptr %531, align 1
  %533 = icmp eq i8 %532, 92
  br i1 %533, label %534, label %561

534:                                              ; preds = %529
  %535 = add i64 %530, 1
  %536 = getelementptr inbounds i8, ptr %1, i64 %535
  %537 = load i8, ptr %536, align 1
  %538 = icmp eq i8 %537, 117
  br i1 %538, label %539, label %561

539:                                              ; preds = %534
  %540 = getelementptr inbounds i8, ptr %536, i64 1
  br label %541

541:                                              ; preds = %541, %539
  %542 = phi i64 [ 0, %539 ], [ %554, %541 ]
  %543 = phi i32 [ 0, %539 ], [ %553, %541 ]
  %544 = shl i32 %543, 4
  %545 = getelementptr inbounds i8, ptr %540, i64 %542
  %546 = load i8, ptr %545, align 1
  %547 = zext i8 %546 to i32
  %548 = icmp ult i8 %546, 58
  %549 = add i32 %547, -48
  %550 = or i32 %547, 32
  %551 = add i32 %550, -87
  %552 = select i1 %548, i32 %549, i32 %551
  %553 = add i32 %552, %544
  %554 = add i64 %542, 1
  %555 = icmp eq i64 %554, 4
  br i1 %555, label %556, label %541

556:                                              ; preds = %541
  %557 = icmp eq i32 %553, 0
  %558 = and i32 %553, -2048
  %559 = icmp eq i32 %558, 55296
  %560 = or i1 %557, %559
  br i1 %560, label %565, label %561

561:                                              ; preds = %556, %534, %529
  %562 = phi i64 [ %530, %529 ], [ %535, %534 ], [ %535, %556 ]
  %563 = add i64 %562, 1
  %564 = icmp slt i64 %563, %526
  br i1 %564, label %529, label %566

565:                                              ; preds = %519, %556
  br label %630

566:                                              ; preds = %561, %523
  %567 = icmp slt i64 %521, %3
  br i1 %567, label %568, label %575

568:                                              ; preds = %566, %572
  %569 = phi i64 [ %573, %572 ], [ %521, %566 ]
  %570 = getelementptr inbounds i8, ptr %1, i64 %569
  %571 = load i8, ptr %570, align 1
  switch i8 %571, label %575 [
    i8 32, label %572
    i8 13, label %572
    i8 9, label %572
    i8 10, label %572
  ]

572:                                              ; preds = %568, %568, %568, %568
  %573 = add i64 %569, 1
  %574 = icmp eq i64 %573, %3
  br i1 %574, label %630, label %568

575:                                              ; preds = %568, %566
  %576 = phi i64 [ %521, %566 ], [ %569, %568 ]
  %577 = icmp slt i64 %576, %3
  br i1 %577, label %578, label %630

578:                                              ; preds = %575
  %579 = getelementptr inbounds i8, ptr %1, i64 %576
  %580 = load i8, ptr %579, align 1
  %581 = icmp eq i8 %580, 58
  br i1 %581, label %582, label %630

582:                                              ; preds = %578
  %583 = add i64 %576, 1
  %584 = icmp slt i64 %583, %3
  br i1 %584, label %585, label %592

585:                                              ; preds = %582, %589
  %586 = phi i64 [ %590, %589 ], [ %583, %582 ]
  %587 = getelementptr inbounds i8, ptr %1, i64 %586
  %588 = load i8, ptr %587, align 1
  switch i8 %588, label %592 [
    i8 32, label %589
    i8 13, label %589
    i8 9, label %589
    i8 10, label %589
  ]

589:                                              ; preds = %585, %585, %585, %585
  %590 = add i64 %586, 1
  %591 = icmp eq i64 %590, %3
  br i1 %591, label %630, label %585

592:                                              ; preds = %585, %582, %506, %264
  %593 = phi i64 [ %511, %582 ], [ %246, %264 ], [ %469, %506 ], [ %511, %585 ]
  %594 = phi i32 [ %512, %582 ], [ %241, %264 ], [ %468, %506 ], [ %512, %585 ]
  %595 = phi i64 [ %583, %582 ], [ %257, %264 ], [ %507, %506 ], [ %586, %585 ]
  %596 = icmp slt i64 %595, %3
  br i1 %596, label %233, label %630

597:                                              ; preds = %462, %491, %223
  %598 = phi i64 [ %229, %223 ], [ %492, %491 ], [ %464, %462 ]
  %599 = icmp slt i64 %598, 0
  br i1 %599, label %630, label %600

600:                                              ; preds = %597
  %601 = icmp slt i64 %598, %3
  br i1 %601, label %602, label %609

602:                                              ; preds = %600, %606
  %603 = phi i64 [ %607, %606 ], [ %598, %600 ]
  %604 = getelementptr inbounds i8, ptr %1, i64 %603
  %605 = load i8, ptr %604, align 1
  switch i8 %605, label %609 [
    i8 32, label %606
    i8 13, label %606
    i8 9, label %606
    i8 10, label %606
  ]

606:                                              ; preds = %602, %602, %602, %602
  %607 = add i64 %603, 1
  %608 = icmp eq i64 %607, %3
  br i1 %608, label %630, label %602

609:                                              ; preds = %602, %600
  %610 = phi i64 [ %598, %600 ], [ %603, %602 ]
  %611 = icmp slt i64 %610, %3
  br i1 %611, label %612, label %630

612:                                              ; preds = %609
  %613 = getelementptr inbounds i8, ptr %1, i64 %610
  %614 = load i8, ptr %613, align 1
  switch i8 %614, label %630 [
    i8 125, label %615
    i8 44, label %617
  ]

615:                                              ; preds = %612
  %616 = add i64 %610, 1
  br label %630

617:                                              ; preds = %612
  %618 = add i64 %610, 1
  %619 = icmp slt i64 %618, %3
  br i1 %619, label %620, label %627

620:                                              ; preds = %617, %624
  %621 = phi i64 [ %625, %624 ], [ %618, %617 ]
  %622 = getelementptr inbounds i8, ptr %1, i64 %621
  %623 = load i8, ptr %622, align 1
  switch i8 %623, label %627 [
    i8 32, label %624
    i8 13, label %624
    i8 9, label %624
    i8 10, label %624
  ]

624:                                              ; preds = %620, %620, %620, %620
  %625 = add i64 %621, 1
  %626 = icmp eq i64 %625, %3
  br i1 %626, label %630, label %620

627:                                              ; preds = %620, %617
  %628 = phi i64 [ %618, %617 ], [ %621, %620 ]
  %629 = icmp slt i64 %628, %3
  br i1 %629, label %37, label %630

630:                                              ; preds = %17, %37, %627, %202, %219, %597, %609, %205, %612, %230, %199, %216, %240, %510, %256, %515, %578, %575, %446, %317, %332, %347, %385, %362, %412, %395, %429, %432, %398, %373, %592, %606, %624, %338, %323, %353, %253, %456, %485, %478, %572, %589, %475, %29, %315, %565, %98, %615, %27
  %631 = phi i64 [ %28, %27 ], [ -1, %589 ], [ -1, %315 ], [ -1, %216 ], [ -1, %572 ], [ -1, %609 ], [ -1, %98 ], [ -1, %353 ], [ -1, %29 ], [ -1, %338 ], [ -1, %475 ], [ %616, %615 ], [ -1, %240 ], [ -1, %485 ], [ -1, %199 ], [ -1, %456 ], [ -1, %253 ], [ -1, %565 ], [ -1, %606 ], [ -1, %323 ], [ -1, %624 ], [ -1, %478 ], [ -1, %592 ], [ -1, %373 ], [ -1, %398 ], [ -1, %432 ], [ -1, %429 ], [ -1, %395 ], [ -1, %412 ], [ -1, %362 ], [ -1, %385 ], [ -1, %347 ], [ -1, %332 ], [ -1, %317 ], [ -1, %446 ], [ -1, %575 ], [ -1, %578 ], [ -1, %515 ], [ -1, %256 ], [ -1, %510 ], [ -1, %230 ], [ -1, %612 ], [ -1, %627 ], [ -1, %202 ], [ -1, %219 ], [ %598, %597 ], [ -1, %205 ], [ -1, %37 ], [ -1, %17 ]
  ret i64 %631
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %79

6:                                                ; preds = %4
  %7 = add i64 %2, -1
  br label %8

8:                                                ; preds = %6, %75
  %9 = phi i64 [ %76, %75 ], [ %1, %6 ]
  %10 = sub i64 %2, %9
  %11 = icmp sgt i64 %10, 7
  br i1 %11, label %12, label %31

12:                                               ; preds = %8, %27
  %13 = phi i64 [ %28, %27 ], [ %9, %8 ]
  %14 = getelementptr inbounds i8, ptr %0, i64 %13
  %15 = load i64, ptr %14, align 1
  %16 = xor i64 %15, 2459565876494606882
  %17 = add i64 %16, -72340172838076673
  %18 = and i64 %15, -9187201950435737472
  %19 = xor i64 %18, -9187201950435737472
  %20 = xor i64 %15, 6655295901103053916
  %21 = add i64 %20, -72340172838076673
  %22 = or i64 %17, %21
  %23 = add i64 %15, -2314885530818453536
  %24 = or i64 %22, %23
  %25 = and i64 %19, %24
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %27, label %31

27:                                               ; preds = %12
  %28 = add i64 %13, 8
  %29 = sub i64 %2, %28
  %30 = icmp sgt i64 %29, 7
  br i1 %30, label %12, label %31

31:                                               ; preds = %27, %12, %8
  %32 = phi i64 [ %9, %8 ], [ %13, %12 ], [ %28, %27 ]
  %33 = icmp slt i64 %32, %2
  br i1 %33, label %34, label %79

34:                                               ; preds = %31, %42
  %35 = phi i64 [ %36, %42 ], [ %32, %31 ]
  %36 = add i64 %35, 1
  %37 = getelementptr inbounds i8, ptr %0, i64 %35
  %38 = load i8, ptr %37, align 1
  %39 = freeze i8 %38
  %40 = icmp ugt i8 %39, 31
  br i1 %40, label %41, label %44

41:                                               ; preds = %34
  switch i8 %39, label %42 [
    i8 34, label %79
    i8 92, label %47
  ]

42:                                               ; preds = %41
  %43 = icmp eq i64 %36, %2
  br i1 %43, label %44, label %34

44:                                               ; preds = %34, %42
  %45 = phi i64 [ %35, %34 ], [ %7, %42 ]
  %46 = phi i64 [ %36, %34 ], [ %2, %42 ]
  switch i8 %39, label %79 [
    i8 34, label %78
    i8 92, label %47
  ]

47:                                               ; preds = %41, %44
  %48 = phi i64 [ %45, %44 ], [ %35, %41 ]
  %49 = phi i64 [ %46, %44 ], [ %36, %41 ]
  store i32 1, ptr %3, align 4
  %50 = icmp slt i64 %49, %2
  br i1 %50, label %51, label %79

51:                                               ; preds = %47
  %52 = add i64 %48, 2
  %53 = getelementptr inbounds i8, ptr %0, i64 %49
  %54 = load i8, ptr %53, align 1
  switch i8 %54, label %79 [
    i8 34, label %75
    i8 92, label %75
    i8 47, label %75
    i8 98, label %75
    i8 102, label %75
    i8 110, label %75
    i8 114, label %75
    i8 116, label %75
    i8 117, label %55
  ]

55:                                               ; preds = %51
  %56 = sub i64 %2, %52
  %57 = icmp slt i64 %56, 4
  br i1 %57, label %79, label %58

58:                                               ; preds = %55
  %59 = getelementptr i8, ptr %0, i64 %52
  br label %63

60:                                               ; preds = %63
  %61 = add i64 %64, 1
  %62 = icmp eq i64 %61, 4
  br i1 %62, label %73, label %63

63:                                               ; preds = %58, %60
  %64 = phi i64 [ 0, %58 ], [ %61, %60 ]
  %65 = getelementptr i8, ptr %59, i64 %64
  %66 = load i8, ptr %65, align 1
  %67 = add i8 %66, -58
  %68 = icmp ult i8 %67, -10
  %69 = and i8 %66, -33
  %70 = add i8 %69, -71
  %71 = icmp ult i8 %70, -6
  %72 = and i1 %68, %71
  br i1 %72, label %79, label %60

73:                                               ; preds = %60
  %74 = add i64 %48, 6
  br label %75

75:                                               ; preds = %51, %51, %51, %51, %51, %51, %51, %51, %73
  %76 = phi i64 [ %74, %73 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ], [ %52, %51 ]
  %77 = icmp slt i64 %76, %2
  br i1 %77, label %8, label %79

78:                                               ; preds = %44
  br label %79

79:                                               ; preds = %41, %63, %31, %75, %55, %51, %47, %44, %78, %4
  %80 = phi i64 [ -1, %63 ], [ %46, %78 ], [ -1, %31 ], [ -1, %4 ], [ -1, %44 ], [ -1, %47 ], [ -1, %51 ], [ -1, %55 ], [ -1, %75 ], [ %36, %41 ]
  ret i64 %80
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
  store i64 %1, ptr %6, align 8
  br label %7

7:                                                ; preds = %167, %5
  %8 = phi i64 [ %1, %5 ], [ %169, %167 ]
  %9 = phi ptr [ %3, %5 ], [ %168, %167 ]
  %10 = sub i64 %2, %8
  %11 = icmp sgt i64 %10, 7
  br i1 %11, label %12, label %34

12:                                               ; preds = %7, %28
  %13 = phi i64 [ %30, %28 ], [ %8, %7 ]
  %14 = phi ptr [ %31, %28 ], [ %9, %7 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 %13
  %16 = load i64, ptr %15, align 1
  %17 = xor i64 %16, 2459565876494606882
  %18 = add i64 %17, -72340172838076673
  %19 = and i64 %16, -9187201950435737472
  %20 = xor i64 %19, -9187201950435737472
  %21 = xor i64 %16, 6655295901103053916
  %22 = add i64 %21, -72340172838076673
  %23 = or i64 %18, %22
  %24 = add i64 %16, -2314885530818453536
  %25 = or i64 %23, %24
  %26 = and i64 %20, %25
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %28, label %34

28:                                               ; preds = %12
  store i64 %16, ptr %14, align 1
  %29 = load i64, ptr %6, align 8
  %30 = add i64 %29, 8
  store i64 %30, ptr %6, align 8
  %31 = getelementptr inbounds i8, ptr %14, i64 8
  %32 = sub i64 %2, %30
  %33 = icmp sgt i64 %32, 7
  br i1 %33, label %12, label %34

34:                                               ; preds = %28, %12, %7
  %35 = phi i64 [ %8, %7 ], [ %13, %12 ], [ %30, %28 ]
  %36 = phi ptr [ %9, %7 ], [ %14, %12 ], [ %31, %28 ]
  %37 = icmp slt i64 %35, %2
  br i1 %37, label %38, label %170

38:                                               ; preds = %34, %53
  %39 = phi i64 [ %56, %53 ], [ %35, %34 ]
  %40 = phi ptr [ %54, %53 ], [ %36, %34 ]
  %41 = getelementptr i8, ptr %0, i64 %39
  %42 = load i8, ptr %41, align 1
  %43 = icmp eq i8 %42, 34
  br i1 %43, label %44, label %49

44:                                               ; preds = %38
  %45 = ptrtoint ptr %40 to i64
  %46 = ptrtoint ptr %3 to i64
  %47 = sub i64 %45, %46
  store i64 %47, ptr %4, align 8
  %48 = add i64 %39, 1
  br label %170

49:                                               ; preds = %38
  %50 = icmp ult i8 %42, 32
  br i1 %50, label %170, label %51

51:                                               ; preds = %49
  %52 = icmp eq i8 %42, 92
  br i1 %52, label %58, label %53

53:                                               ; preds = %51
  %54 = getelementptr inbounds i8, ptr %40, i64 1
  store i8 %42, ptr %40, align 1
  %55 = load i64, ptr %6, align 8
  %56 = add i64 %55, 1
  store i64 %56, ptr %6, align 8
  %57 = icmp slt i64 %56, %2
  br i1 %57, label %38, label %170

58:                                               ; preds = %51
  %59 = getelementptr i8, ptr %0, i64 %39
  %60 = sub i64 %2, %39
  %61 = icmp slt i64 %60, 2
  br i1 %61, label %170, label %62

62:                                               ; preds = %58
  %63 = getelementptr i8, ptr %59, i64 1
  %64 = load i8, ptr %63, align 1
  switch i8 %64, label %170 [
    i8 92, label %65
    i8 47, label %65
    i8 34, label %65
    i8 117, label %73
    i8 116, label %69
    i8 114, label %69
    i8 110, label %69
    i8 102, label %69
    i8 98, label %69
  ]

65:                                               ; preds = %62, %62, %62
  %66 = getelementptr inbounds i8, ptr %40, i64 1
  store i8 %64, ptr %40, align 1
  %67 = load i64, ptr %6, align 8
  %68 = add i64 %67, 2
  store i64 %68, ptr %6, align 8
  br label %167

69:                                               ; preds = %62, %62, %62, %62, %62
  %70 = call fastcc i32 @spelled(ptr %0, ptr %6, ptr %40)
  %71 = zext i32 %70 to i64
  %72 = getelementptr inbounds i8, ptr %40, i64 %71
  br label %167

73:                                               ; preds = %62
  %74 = icmp ult i64 %60, 6
  br i1 %74, label %170, label %75

75:                                               ; preds = %73
  %76 = getelementptr i8, ptr %59, i64 2
  %77 = load i8, ptr %76, align 1
  %78 = add i8 %77, -58
  %79 = icmp ult i8 %78, -10
  %80 = and i8 %77, -33
  %81 = add i8 %80, -71
  %82 = icmp ult i8 %81, -6
  %83 = and i1 %79, %82
  br i1 %83, label %170, label %84

84:                                               ; preds = %75
  %85 = getelementptr i8, ptr %59, i64 3
  %86 = load i8, ptr %85, align 1
  %87 = add i8 %86, -58
  %88 = icmp ult i8 %87, -10
  %89 = and i8 %86, -33
  %90 = add i8 %89, -71
  %91 = icmp ult i8 %90, -6
  %92 = and i1 %88, %91
  br i1 %92, label %170, label %93

93:                                               ; preds = %84
  %94 = getelementptr i8, ptr %59, i64 4
  %95 = load i8, ptr %94, align 1
  %96 = add i8 %95, -58
  %97 = icmp ult i8 %96, -10
  %98 = and i8 %95, -33
  %99 = add i8 %98, -71
  %100 = icmp ult i8 %99, -6
  %101 = and i1 %97, %100
  br i1 %101, label %170, label %102

102:                                              ; preds = %93
  %103 = getelementptr i8, ptr %59, i64 5
  %104 = load i8, ptr %103, align 1
  %105 = add i8 %104, -58
  %106 = icmp ult i8 %105, -10
  %107 = and i8 %104, -33
  %108 = add i8 %107, -71
  %109 = icmp ult i8 %108, -6
  %110 = and i1 %106, %109
  br i1 %110, label %170, label %111

111:                                              ; preds = %102, %111
  %112 = phi i64 [ %124, %111 ], [ 0, %102 ]
  %113 = phi i32 [ %123, %111 ], [ 0, %102 ]
  %114 = shl i32 %113, 4
  %115 = getelementptr inbounds i8, ptr %76, i64 %112
  %116 = load i8, ptr %115, align 1
  %117 = zext i8 %116 to i32
  %118 = icmp ult i8 %116, 58
  %119 = add i32 %117, -48
  %120 = or i32 %117, 32
  %121 = add i32 %120, -87
  %122 = select i1 %118, i32 %119, i32 %121
  %123 = add i32 %122, %114
  %124 = add i64 %112, 1
  %125 = icmp eq i64 %124, 4
  br i1 %125, label %126, label %111

126:                                              ; preds = %111
  %127 = and i32 %123, -1024
  %128 = icmp eq i32 %127, 55296
  br i1 %128, label %129, label %152

129:                                              ; preds = %126
  %130 = icmp ult i64 %60, 12
  br i1 %130, label %170, label %131

131:                                              ; preds = %129
  %132 = getelementptr i8, ptr %59, i64 6
  %133 = load i8, ptr %132, align 1
  %134 = icmp eq i8 %133, 92
  br i1 %134, label %135, label %170

135:                                              ; preds = %131
  %136 = getelementptr i8, ptr %59, i64 7
  %137 = load i8, ptr %136, align 1
  %138 = icmp eq i8 %137, 117
  br i1 %138, label %142, label %170

139:                                              ; preds = %142
  %140 = add i64 %143, 1
  %141 = icmp eq i64 %140, 12
  br i1 %141, label %152, label %142

142:                                              ; preds = %135, %139
  %143 = phi i64 [ %140, %139 ], [ 8, %135 ]
  %144 = getelementptr i8, ptr %59, i64 %143
  %145 = load i8, ptr %144, align 1
  %146 = add i8 %145, -58
  %147 = icmp ult i8 %146, -10
  %148 = and i8 %145, -33
  %149 = add i8 %148, -71
  %150 = icmp ult i8 %149, -6
  %151 = and i1 %147, %150
  br i1 %151, label %170, label %139

152:                                              ; preds = %139, %126
  %153 = call fastcc i32 @spelled(ptr %0, ptr %6, ptr %40)
  %154 = load i8, ptr %40, align 1
  %155 = icmp eq i8 %154, 0
  br i1 %155, label %170, label %156

156:                                              ; preds = %152
  %157 = icmp eq i32 %153, 3
  %158 = icmp eq i8 %154, -19
  %159 = and i1 %157, %158
  br i1 %159, label %160, label %164

160:                                              ; preds = %156
  %161 = getelementptr inbounds i8, ptr %40, i64 1
  %162 = load i8, ptr %161, align 1
  %163 = icmp ugt i8 %162, -97
  br i1 %163, label %170, label %164

164:                                              ; preds = %160, %156
  %165 = zext i32 %153 to i64
  %166 = getelementptr inbounds i8, ptr %40, i64 %165
  br label %167

167:                                              ; preds = %164, %69, %65
  %168 = phi ptr [ %66, %65 ], [ %166, %164 ], [ %72, %69 ]
  %169 = load i64, ptr %6, align 8
  br label %7

170:                                              ; preds = %160, %131, %135, %75, %84, %93, %102, %129, %73, %62, %152, %58, %34, %53, %49, %142, %44
  %171 = phi i64 [ %48, %44 ], [ -1, %53 ], [ -1, %142 ], [ -1, %49 ], [ -1, %34 ], [ -1, %58 ], [ -1, %152 ], [ -1, %62 ], [ -1, %73 ], [ -1, %129 ], [ -1, %102 ], [ -1, %93 ], [ -1, %84 ], [ -1, %75 ], [ -1, %135 ], [ -1, %131 ], [ -1, %160 ]
  ret i64 %171
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
