; Made of reader.c by `python -m native`; SHA-256 of that file and what it includes:
; 0247e25ad7ed38f67e65f14bf09785e3124af11a7f75ac855af5ebd6b222146d

%struct.column = type { i64, ptr, ptr, ptr, i64, i64, i64, i64, double, i64, i64 }
%struct.node = type { ptr, i64, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"null\00", align 1
@.str.1 = private constant [5 x i8] c"true\00", align 1
@.str.2 = private constant [6 x i8] c"false\00", align 1

define i64 @read_records(ptr %0, i64 %1) {
  %3 = getelementptr inbounds i8, ptr %0, i64 72
  %4 = load i64, ptr %3, align 8
  %5 = icmp slt i64 %1, %4
  br i1 %5, label %6, label %153

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

18:                                               ; preds = %6, %149
  %19 = phi i64 [ %1, %6 ], [ %150, %149 ]
  %20 = load ptr, ptr %7, align 8
  %21 = getelementptr inbounds i8, ptr %20, i64 %19
  %22 = load i8, ptr %21, align 1
  %23 = icmp eq i8 %22, 0
  br i1 %23, label %24, label %149

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
  br i1 %34, label %118, label %35

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
  br i1 %46, label %118, label %40

47:                                               ; preds = %40, %35
  %48 = phi i64 [ %28, %35 ], [ %41, %40 ]
  %49 = icmp slt i64 %48, %31
  br i1 %49, label %50, label %118

50:                                               ; preds = %47
  %51 = getelementptr inbounds i8, ptr %36, i64 %48
  %52 = load i8, ptr %51, align 1
  %53 = icmp eq i8 %52, 123
  br i1 %53, label %54, label %118

54:                                               ; preds = %50
  %55 = add i64 %48, 1
  %56 = call fastcc i64 @fields_of(ptr %0, ptr %36, i64 %55, i64 %31, i64 0)
  %57 = icmp slt i64 %56, 0
  br i1 %57, label %118, label %58

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
  br i1 %69, label %70, label %118

70:                                               ; preds = %64, %67
  %71 = load i64, ptr %12, align 8
  %72 = load i64, ptr %14, align 8
  %73 = icmp ne i64 %71, %72
  %74 = icmp sgt i64 %72, 0
  %75 = and i1 %73, %74
  br i1 %75, label %76, label %122

76:                                               ; preds = %70, %114
  %77 = phi i64 [ %115, %114 ], [ 0, %70 ]
  %78 = load ptr, ptr %15, align 8
  %79 = getelementptr inbounds %struct.column, ptr %78, i64 %77
  %80 = getelementptr inbounds i8, ptr %79, i64 80
  %81 = load i64, ptr %80, align 8
  %82 = load i64, ptr %13, align 8
  %83 = icmp eq i64 %81, %82
  br i1 %83, label %114, label %84

84:                                               ; preds = %76
  %85 = getelementptr inbounds i8, ptr %79, i64 72
  %86 = load i64, ptr %85, align 8
  %87 = icmp eq i64 %86, 0
  br i1 %87, label %88, label %118

88:                                               ; preds = %84
  %89 = getelementptr inbounds i8, ptr %79, i64 24
  %90 = load ptr, ptr %89, align 8
  %91 = load i64, ptr %16, align 8
  %92 = getelementptr inbounds i8, ptr %90, i64 %91
  store i8 0, ptr %92, align 1
  %93 = load i64, ptr %79, align 8
  switch i64 %93, label %108 [
    i64 4, label %94
    i64 3, label %103
    i64 0, label %114
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
  br label %114

103:                                              ; preds = %88
  %104 = getelementptr inbounds i8, ptr %79, i64 8
  %105 = load ptr, ptr %104, align 8
  %106 = load i64, ptr %16, align 8
  %107 = getelementptr inbounds i8, ptr %105, i64 %106
  store i8 0, ptr %107, align 1
  br label %114

108:                                              ; preds = %88
  %109 = getelementptr inbounds i8, ptr %79, i64 8
  %110 = load ptr, ptr %109, align 8
  %111 = load i64, ptr %16, align 8
  %112 = shl i64 %111, 3
  %113 = getelementptr inbounds i8, ptr %110, i64 %112
  store i64 0, ptr %113, align 1
  br label %114

114:                                              ; preds = %108, %103, %94, %88, %76
  %115 = add i64 %77, 1
  %116 = load i64, ptr %14, align 8
  %117 = icmp slt i64 %115, %116
  br i1 %117, label %76, label %122

118:                                              ; preds = %44, %84, %67, %54, %50, %47, %24
  %119 = phi i64 [ -1, %24 ], [ -1, %50 ], [ -1, %47 ], [ %56, %54 ], [ -1, %67 ], [ -1, %84 ], [ -1, %44 ]
  store ptr %25, ptr %8, align 8
  %120 = load i64, ptr %14, align 8
  %121 = icmp sgt i64 %120, 0
  br i1 %121, label %129, label %127

122:                                              ; preds = %114, %70
  store ptr %25, ptr %8, align 8
  %123 = load ptr, ptr %17, align 8
  %124 = getelementptr inbounds i8, ptr %123, i64 %19
  store i8 1, ptr %124, align 1
  %125 = load i64, ptr %16, align 8
  %126 = add i64 %125, 1
  store i64 %126, ptr %16, align 8
  br label %149

127:                                              ; preds = %145, %118
  %128 = icmp eq i64 %119, -2
  br i1 %128, label %153, label %149

129:                                              ; preds = %118, %145
  %130 = phi i64 [ %146, %145 ], [ %120, %118 ]
  %131 = phi i64 [ %147, %145 ], [ 0, %118 ]
  %132 = load ptr, ptr %15, align 8
  %133 = getelementptr inbounds %struct.column, ptr %132, i64 %131
  %134 = load i64, ptr %133, align 8
  %135 = icmp eq i64 %134, 4
  br i1 %135, label %136, label %145

136:                                              ; preds = %129
  %137 = getelementptr inbounds i8, ptr %133, i64 16
  %138 = load ptr, ptr %137, align 8
  %139 = load i64, ptr %16, align 8
  %140 = getelementptr inbounds i32, ptr %138, i64 %139
  %141 = load i32, ptr %140, align 4
  %142 = sext i32 %141 to i64
  %143 = getelementptr inbounds i8, ptr %133, i64 40
  store i64 %142, ptr %143, align 8
  %144 = load i64, ptr %14, align 8
  br label %145

145:                                              ; preds = %129, %136
  %146 = phi i64 [ %130, %129 ], [ %144, %136 ]
  %147 = add i64 %131, 1
  %148 = icmp slt i64 %147, %146
  br i1 %148, label %129, label %127

149:                                              ; preds = %122, %127, %18
  %150 = add i64 %19, 1
  %151 = load i64, ptr %3, align 8
  %152 = icmp slt i64 %150, %151
  br i1 %152, label %18, label %153

153:                                              ; preds = %127, %149, %2
  %154 = phi i64 [ %4, %2 ], [ %19, %127 ], [ %151, %149 ]
  ret i64 %154
}

define internal fastcc i64 @fields_of(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) {
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds %struct.node, ptr %9, i64 %4
  %11 = getelementptr inbounds i8, ptr %10, i64 16
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 24
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, %12
  %16 = icmp slt i64 %2, %3
  br i1 %16, label %17, label %24

17:                                               ; preds = %5, %21
  %18 = phi i64 [ %22, %21 ], [ %2, %5 ]
  %19 = getelementptr inbounds i8, ptr %1, i64 %18
  %20 = load i8, ptr %19, align 1
  switch i8 %20, label %24 [
    i8 32, label %21
    i8 13, label %21
    i8 9, label %21
    i8 10, label %21
  ]

21:                                               ; preds = %17, %17, %17, %17
  %22 = add i64 %18, 1
  %23 = icmp eq i64 %22, %3
  br i1 %23, label %626, label %17

24:                                               ; preds = %17, %5
  %25 = phi i64 [ %2, %5 ], [ %18, %17 ]
  %26 = icmp slt i64 %25, %3
  br i1 %26, label %27, label %33

27:                                               ; preds = %24
  %28 = getelementptr inbounds i8, ptr %1, i64 %25
  %29 = load i8, ptr %28, align 1
  %30 = icmp eq i8 %29, 125
  br i1 %30, label %31, label %33

31:                                               ; preds = %27
  %32 = add i64 %25, 1
  br label %626

33:                                               ; preds = %27, %24
  %34 = icmp slt i64 %25, %3
  br i1 %34, label %35, label %626

35:                                               ; preds = %33
  %36 = trunc i64 %4 to i32
  %37 = xor i32 %36, -2128831035
  %38 = getelementptr inbounds i8, ptr %0, i64 32
  %39 = getelementptr inbounds i8, ptr %0, i64 24
  %40 = getelementptr inbounds i8, ptr %0, i64 56
  br label %41

41:                                               ; preds = %35, %623
  %42 = phi i64 [ %25, %35 ], [ %624, %623 ]
  %43 = phi i64 [ %12, %35 ], [ %190, %623 ]
  %44 = getelementptr inbounds i8, ptr %1, i64 %42
  %45 = load i8, ptr %44, align 1
  %46 = icmp eq i8 %45, 34
  br i1 %46, label %47, label %626

47:                                               ; preds = %41
  %48 = add i64 %42, 1
  %49 = icmp slt i64 %43, %15
  %50 = select i1 %49, i64 %43, i64 %12
  %51 = load ptr, ptr %0, align 8
  %52 = getelementptr inbounds %struct.node, ptr %51, i64 %50
  %53 = icmp slt i64 %50, %15
  br i1 %53, label %54, label %97

54:                                               ; preds = %47
  %55 = sub i64 %3, %48
  %56 = getelementptr inbounds i8, ptr %52, i64 8
  %57 = load i64, ptr %56, align 8
  %58 = icmp sgt i64 %55, %57
  br i1 %58, label %59, label %97

59:                                               ; preds = %54
  %60 = getelementptr i8, ptr %1, i64 %48
  %61 = getelementptr i8, ptr %60, i64 %57
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 34
  br i1 %63, label %64, label %97

64:                                               ; preds = %59
  %65 = load ptr, ptr %52, align 8
  %66 = icmp sgt i64 %57, 7
  br i1 %66, label %72, label %67

67:                                               ; preds = %79, %64
  %68 = phi ptr [ %60, %64 ], [ %81, %79 ]
  %69 = phi ptr [ %65, %64 ], [ %82, %79 ]
  %70 = phi i64 [ %57, %64 ], [ %80, %79 ]
  %71 = icmp sgt i64 %70, 0
  br i1 %71, label %87, label %94

72:                                               ; preds = %64, %79
  %73 = phi i64 [ %80, %79 ], [ %57, %64 ]
  %74 = phi ptr [ %82, %79 ], [ %65, %64 ]
  %75 = phi ptr [ %81, %79 ], [ %60, %64 ]
  %76 = load i64, ptr %75, align 1
  %77 = load i64, ptr %74, align 1
  %78 = icmp eq i64 %76, %77
  br i1 %78, label %79, label %97

79:                                               ; preds = %72
  %80 = add i64 %73, -8
  %81 = getelementptr inbounds i8, ptr %75, i64 8
  %82 = getelementptr inbounds i8, ptr %74, i64 8
  %83 = icmp ugt i64 %73, 15
  br i1 %83, label %72, label %67

84:                                               ; preds = %87
  %85 = add i64 %88, 1
  %86 = icmp eq i64 %85, %70
  br i1 %86, label %94, label %87

87:                                               ; preds = %67, %84
  %88 = phi i64 [ %85, %84 ], [ 0, %67 ]
  %89 = getelementptr inbounds i8, ptr %68, i64 %88
  %90 = load i8, ptr %89, align 1
  %91 = getelementptr inbounds i8, ptr %69, i64 %88
  %92 = load i8, ptr %91, align 1
  %93 = icmp eq i8 %90, %92
  br i1 %93, label %84, label %97

94:                                               ; preds = %84, %67
  %95 = add i64 %42, 2
  %96 = add i64 %95, %57
  br label %185

97:                                               ; preds = %72, %87, %59, %54, %47
  store i32 0, ptr %8, align 4
  %98 = call fastcc i64 @end_of_string(ptr %1, i64 %48, i64 %3, ptr %8)
  %99 = icmp sgt i64 %98, -1
  %100 = load i32, ptr %8, align 4
  %101 = icmp eq i32 %100, 0
  %102 = select i1 %99, i1 %101, i1 false
  br i1 %102, label %104, label %103

103:                                              ; preds = %97
  br label %626

104:                                              ; preds = %97
  %105 = getelementptr inbounds i8, ptr %1, i64 %48
  %106 = sub i64 %98, %42
  %107 = add i64 %106, -2
  %108 = getelementptr inbounds %struct.node, ptr %51, i64 %4
  %109 = icmp sgt i64 %107, 0
  br i1 %109, label %125, label %110

110:                                              ; preds = %125, %104
  %111 = phi i32 [ %37, %104 ], [ %132, %125 ]
  %112 = zext i32 %111 to i64
  %113 = load i64, ptr %38, align 8
  %114 = and i64 %113, %112
  %115 = load ptr, ptr %39, align 8
  %116 = getelementptr inbounds i64, ptr %115, i64 %114
  %117 = load i64, ptr %116, align 8
  %118 = icmp slt i64 %117, 0
  br i1 %118, label %119, label %120

119:                                              ; preds = %110
  br label %185

120:                                              ; preds = %110
  %121 = getelementptr inbounds i8, ptr %108, i64 16
  %122 = load i64, ptr %121, align 8
  %123 = getelementptr inbounds i8, ptr %108, i64 24
  %124 = icmp sgt i64 %107, 7
  br label %135

125:                                              ; preds = %104, %125
  %126 = phi i32 [ %132, %125 ], [ %37, %104 ]
  %127 = phi i64 [ %133, %125 ], [ 0, %104 ]
  %128 = getelementptr inbounds i8, ptr %105, i64 %127
  %129 = load i8, ptr %128, align 1
  %130 = zext i8 %129 to i32
  %131 = xor i32 %126, %130
  %132 = mul i32 %131, 16777619
  %133 = add i64 %127, 1
  %134 = icmp eq i64 %133, %107
  br i1 %134, label %110, label %125

135:                                              ; preds = %177, %120
  %136 = phi i64 [ %117, %120 ], [ %181, %177 ]
  %137 = phi i64 [ %114, %120 ], [ %179, %177 ]
  %138 = getelementptr inbounds %struct.node, ptr %51, i64 %136
  %139 = icmp slt i64 %136, %122
  br i1 %139, label %177, label %140

140:                                              ; preds = %135
  %141 = load i64, ptr %123, align 8
  %142 = add i64 %141, %122
  %143 = icmp slt i64 %136, %142
  br i1 %143, label %144, label %177

144:                                              ; preds = %140
  %145 = getelementptr inbounds i8, ptr %138, i64 8
  %146 = load i64, ptr %145, align 8
  %147 = icmp eq i64 %146, %107
  br i1 %147, label %148, label %177

148:                                              ; preds = %144
  %149 = load ptr, ptr %138, align 8
  br i1 %124, label %155, label %150

150:                                              ; preds = %162, %148
  %151 = phi ptr [ %105, %148 ], [ %164, %162 ]
  %152 = phi ptr [ %149, %148 ], [ %165, %162 ]
  %153 = phi i64 [ %107, %148 ], [ %163, %162 ]
  %154 = icmp sgt i64 %153, 0
  br i1 %154, label %170, label %183

155:                                              ; preds = %148, %162
  %156 = phi i64 [ %163, %162 ], [ %107, %148 ]
  %157 = phi ptr [ %165, %162 ], [ %149, %148 ]
  %158 = phi ptr [ %164, %162 ], [ %105, %148 ]
  %159 = load i64, ptr %158, align 1
  %160 = load i64, ptr %157, align 1
  %161 = icmp eq i64 %159, %160
  br i1 %161, label %162, label %177

162:                                              ; preds = %155
  %163 = add i64 %156, -8
  %164 = getelementptr inbounds i8, ptr %158, i64 8
  %165 = getelementptr inbounds i8, ptr %157, i64 8
  %166 = icmp ugt i64 %156, 15
  br i1 %166, label %155, label %150

167:                                              ; preds = %170
  %168 = add i64 %171, 1
  %169 = icmp eq i64 %168, %153
  br i1 %169, label %183, label %170

170:                                              ; preds = %150, %167
  %171 = phi i64 [ %168, %167 ], [ 0, %150 ]
  %172 = getelementptr inbounds i8, ptr %151, i64 %171
  %173 = load i8, ptr %172, align 1
  %174 = getelementptr inbounds i8, ptr %152, i64 %171
  %175 = load i8, ptr %174, align 1
  %176 = icmp eq i8 %173, %175
  br i1 %176, label %167, label %177

177:                                              ; preds = %155, %170, %144, %140, %135
  %178 = add i64 %137, 1
  %179 = and i64 %178, %113
  %180 = getelementptr inbounds i64, ptr %115, i64 %179
  %181 = load i64, ptr %180, align 8
  %182 = icmp slt i64 %181, 0
  br i1 %182, label %183, label %135

183:                                              ; preds = %177, %150, %167
  %184 = phi i64 [ %136, %167 ], [ %136, %150 ], [ -1, %177 ]
  br label %185

185:                                              ; preds = %183, %119, %94
  %186 = phi i64 [ %50, %94 ], [ %184, %183 ], [ -1, %119 ]
  %187 = phi i64 [ %96, %94 ], [ %98, %183 ], [ %98, %119 ]
  %188 = icmp sgt i64 %186, -1
  %189 = add i64 %186, 1
  %190 = select i1 %188, i64 %189, i64 %43
  %191 = icmp slt i64 %187, %3
  br i1 %191, label %192, label %199

192:                                              ; preds = %185, %196
  %193 = phi i64 [ %197, %196 ], [ %187, %185 ]
  %194 = getelementptr inbounds i8, ptr %1, i64 %193
  %195 = load i8, ptr %194, align 1
  switch i8 %195, label %199 [
    i8 32, label %196
    i8 13, label %196
    i8 9, label %196
    i8 10, label %196
  ]

196:                                              ; preds = %192, %192, %192, %192
  %197 = add i64 %193, 1
  %198 = icmp eq i64 %197, %3
  br i1 %198, label %626, label %192

199:                                              ; preds = %192, %185
  %200 = phi i64 [ %187, %185 ], [ %193, %192 ]
  %201 = icmp slt i64 %200, %3
  br i1 %201, label %202, label %626

202:                                              ; preds = %199
  %203 = getelementptr inbounds i8, ptr %1, i64 %200
  %204 = load i8, ptr %203, align 1
  %205 = icmp eq i8 %204, 58
  br i1 %205, label %206, label %626

206:                                              ; preds = %202
  %207 = add i64 %200, 1
  %208 = icmp slt i64 %207, %3
  br i1 %208, label %209, label %216

209:                                              ; preds = %206, %213
  %210 = phi i64 [ %214, %213 ], [ %207, %206 ]
  %211 = getelementptr inbounds i8, ptr %1, i64 %210
  %212 = load i8, ptr %211, align 1
  switch i8 %212, label %216 [
    i8 32, label %213
    i8 13, label %213
    i8 9, label %213
    i8 10, label %213
  ]

213:                                              ; preds = %209, %209, %209, %209
  %214 = add i64 %210, 1
  %215 = icmp eq i64 %214, %3
  br i1 %215, label %626, label %209

216:                                              ; preds = %209, %206
  %217 = phi i64 [ %207, %206 ], [ %210, %209 ]
  %218 = icmp slt i64 %217, %3
  br i1 %218, label %219, label %626

219:                                              ; preds = %216
  br i1 %188, label %220, label %226

220:                                              ; preds = %219
  %221 = getelementptr inbounds %struct.node, ptr %51, i64 %186
  %222 = getelementptr inbounds i8, ptr %221, i64 48
  %223 = load i64, ptr %222, align 8
  %224 = trunc i64 %223 to i32
  %225 = call fastcc i64 @value_of(ptr %0, ptr %1, i64 %217, i64 %3, i64 %186, i32 %224)
  br label %593

226:                                              ; preds = %219
  %227 = load i64, ptr %40, align 8
  %228 = icmp eq i64 %227, 0
  br i1 %228, label %626, label %229

229:                                              ; preds = %226, %588
  %230 = phi i64 [ %591, %588 ], [ %217, %226 ]
  %231 = phi i32 [ %590, %588 ], [ 0, %226 ]
  %232 = phi i64 [ %589, %588 ], [ 0, %226 ]
  %233 = getelementptr inbounds i8, ptr %1, i64 %230
  %234 = load i8, ptr %233, align 1
  %235 = icmp eq i8 %234, 123
  switch i8 %234, label %358 [
    i8 123, label %236
    i8 91, label %236
    i8 34, label %264
    i8 110, label %343
    i8 116, label %313
    i8 102, label %328
  ]

236:                                              ; preds = %229, %229
  %237 = add i32 %231, 1
  %238 = icmp eq i32 %231, 64
  br i1 %238, label %626, label %239

239:                                              ; preds = %236
  %240 = shl i64 %232, 1
  %241 = zext i1 %235 to i64
  %242 = or i64 %240, %241
  %243 = add i64 %230, 1
  %244 = icmp slt i64 %243, %3
  br i1 %244, label %245, label %252

245:                                              ; preds = %239, %249
  %246 = phi i64 [ %250, %249 ], [ %243, %239 ]
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
  br i1 %251, label %626, label %245

252:                                              ; preds = %245, %239
  %253 = phi i64 [ %243, %239 ], [ %246, %245 ]
  %254 = icmp slt i64 %253, %3
  br i1 %254, label %255, label %626

255:                                              ; preds = %252
  %256 = getelementptr inbounds i8, ptr %1, i64 %253
  %257 = load i8, ptr %256, align 1
  %258 = add i8 %234, 2
  %259 = icmp eq i8 %257, %258
  br i1 %259, label %261, label %260

260:                                              ; preds = %255
  br i1 %235, label %506, label %588

261:                                              ; preds = %255
  %262 = add i64 %253, 1
  %263 = and i64 %232, 9223372036854775807
  br label %458

264:                                              ; preds = %229
  %265 = add i64 %230, 1
  store i32 0, ptr %7, align 4
  %266 = call fastcc i64 @end_of_string(ptr %1, i64 %265, i64 %3, ptr %7)
  %267 = icmp slt i64 %266, 0
  br i1 %267, label %311, label %268

268:                                              ; preds = %264
  %269 = load i32, ptr %7, align 4
  %270 = icmp eq i32 %269, 0
  %271 = add i64 %266, -1
  %272 = icmp sge i64 %265, %271
  %273 = select i1 %270, i1 true, i1 %272
  br i1 %273, label %274, label %275

274:                                              ; preds = %268
  br label %458

275:                                              ; preds = %268, %307
  %276 = phi i64 [ %309, %307 ], [ %265, %268 ]
  %277 = getelementptr inbounds i8, ptr %1, i64 %276
  %278 = load i8, ptr %277, align 1
  %279 = icmp eq i8 %278, 92
  br i1 %279, label %280, label %307

280:                                              ; preds = %275
  %281 = add i64 %276, 1
  %282 = getelementptr inbounds i8, ptr %1, i64 %281
  %283 = load i8, ptr %282, align 1
  %284 = icmp eq i8 %283, 117
  br i1 %284, label %285, label %307

285:                                              ; preds = %280
  %286 = getelementptr inbounds i8, ptr %282, i64 1
  br label %287

287:                                              ; preds = %287, %285
  %288 = phi i64 [ 0, %285 ], [ %300, %287 ]
  %289 = phi i32 [ 0, %285 ], [ %299, %287 ]
  %290 = shl i32 %289, 4
  %291 = getelementptr inbounds i8, ptr %286, i64 %288
  %292 = load i8, ptr %291, align 1
  %293 = zext i8 %292 to i32
  %294 = icmp ult i8 %292, 58
  %295 = add i32 %293, -48
  %296 = or i32 %293, 32
  %297 = add i32 %296, -87
  %298 = select i1 %294, i32 %295, i32 %297
  %299 = add i32 %298, %290
  %300 = add i64 %288, 1
  %301 = icmp eq i64 %300, 4
  br i1 %301, label %302, label %287

302:                                              ; preds = %287
  %303 = icmp eq i32 %299, 0
  %304 = and i32 %299, -2048
  %305 = icmp eq i32 %304, 55296
  %306 = or i1 %303, %305
  br i1 %306, label %311, label %307

307:                                              ; preds = %302, %280, %275
  %308 = phi i64 [ %276, %275 ], [ %281, %280 ], [ %281, %302 ]
  %309 = add i64 %308, 1
  %310 = icmp slt i64 %309, %271
  br i1 %310, label %275, label %312

311:                                              ; preds = %264, %302
  br label %626

312:                                              ; preds = %307
  br label %458

313:                                              ; preds = %229
  %314 = sub i64 %3, %230
  %315 = icmp slt i64 %314, 4
  br i1 %315, label %626, label %319

316:                                              ; preds = %319
  %317 = add i64 %320, 1
  %318 = icmp eq i64 %317, 4
  br i1 %318, label %326, label %319

319:                                              ; preds = %313, %316
  %320 = phi i64 [ %317, %316 ], [ 0, %313 ]
  %321 = getelementptr i8, ptr %233, i64 %320
  %322 = load i8, ptr %321, align 1
  %323 = getelementptr inbounds i8, ptr @.str.1, i64 %320
  %324 = load i8, ptr %323, align 1
  %325 = icmp eq i8 %322, %324
  br i1 %325, label %316, label %626

326:                                              ; preds = %316
  %327 = add i64 %230, 4
  br label %442

328:                                              ; preds = %229
  %329 = sub i64 %3, %230
  %330 = icmp slt i64 %329, 5
  br i1 %330, label %626, label %334

331:                                              ; preds = %334
  %332 = add i64 %335, 1
  %333 = icmp eq i64 %332, 5
  br i1 %333, label %341, label %334

334:                                              ; preds = %328, %331
  %335 = phi i64 [ %332, %331 ], [ 0, %328 ]
  %336 = getelementptr i8, ptr %233, i64 %335
  %337 = load i8, ptr %336, align 1
  %338 = getelementptr inbounds i8, ptr @.str.2, i64 %335
  %339 = load i8, ptr %338, align 1
  %340 = icmp eq i8 %337, %339
  br i1 %340, label %331, label %626

341:                                              ; preds = %331
  %342 = add i64 %230, 5
  br label %442

343:                                              ; preds = %229
  %344 = sub i64 %3, %230
  %345 = icmp slt i64 %344, 4
  br i1 %345, label %626, label %349

346:                                              ; preds = %349
  %347 = add i64 %350, 1
  %348 = icmp eq i64 %347, 4
  br i1 %348, label %356, label %349

349:                                              ; preds = %343, %346
  %350 = phi i64 [ %347, %346 ], [ 0, %343 ]
  %351 = getelementptr i8, ptr %233, i64 %350
  %352 = load i8, ptr %351, align 1
  %353 = getelementptr inbounds i8, ptr @.str, i64 %350
  %354 = load i8, ptr %353, align 1
  %355 = icmp eq i8 %352, %354
  br i1 %355, label %346, label %626

356:                                              ; preds = %346
  %357 = add i64 %230, 4
  br label %442

358:                                              ; preds = %229
  %359 = icmp eq i8 %234, 45
  %360 = zext i1 %359 to i64
  %361 = add i64 %230, %360
  %362 = icmp slt i64 %361, %3
  br i1 %362, label %363, label %626

363:                                              ; preds = %358
  %364 = getelementptr inbounds i8, ptr %1, i64 %361
  %365 = load i8, ptr %364, align 1
  %366 = icmp eq i8 %365, 48
  br i1 %366, label %367, label %369

367:                                              ; preds = %363
  %368 = add i64 %361, 1
  br label %384

369:                                              ; preds = %363
  %370 = add i8 %365, -58
  %371 = icmp ult i8 %370, -10
  br i1 %371, label %626, label %372

372:                                              ; preds = %369, %378
  %373 = phi i64 [ %379, %378 ], [ %361, %369 ]
  %374 = getelementptr inbounds i8, ptr %1, i64 %373
  %375 = load i8, ptr %374, align 1
  %376 = add i8 %375, -58
  %377 = icmp ult i8 %376, -10
  br i1 %377, label %381, label %378

378:                                              ; preds = %372
  %379 = add i64 %373, 1
  %380 = icmp eq i64 %379, %3
  br i1 %380, label %381, label %372

381:                                              ; preds = %378, %372
  %382 = phi i64 [ %373, %372 ], [ %3, %378 ]
  %383 = icmp slt i64 %382, 0
  br i1 %383, label %626, label %384

384:                                              ; preds = %381, %367
  %385 = phi i64 [ %368, %367 ], [ %382, %381 ]
  %386 = icmp slt i64 %385, %3
  br i1 %386, label %387, label %411

387:                                              ; preds = %384
  %388 = getelementptr inbounds i8, ptr %1, i64 %385
  %389 = load i8, ptr %388, align 1
  %390 = icmp eq i8 %389, 46
  br i1 %390, label %391, label %411

391:                                              ; preds = %387
  %392 = add i64 %385, 1
  %393 = icmp slt i64 %392, %3
  br i1 %393, label %394, label %626

394:                                              ; preds = %391
  %395 = getelementptr inbounds i8, ptr %1, i64 %392
  %396 = load i8, ptr %395, align 1
  %397 = add i8 %396, -58
  %398 = icmp ult i8 %397, -10
  br i1 %398, label %626, label %399

399:                                              ; preds = %394, %405
  %400 = phi i64 [ %406, %405 ], [ %392, %394 ]
  %401 = getelementptr inbounds i8, ptr %1, i64 %400
  %402 = load i8, ptr %401, align 1
  %403 = add i8 %402, -58
  %404 = icmp ult i8 %403, -10
  br i1 %404, label %408, label %405

405:                                              ; preds = %399
  %406 = add i64 %400, 1
  %407 = icmp eq i64 %406, %3
  br i1 %407, label %408, label %399

408:                                              ; preds = %405, %399
  %409 = phi i64 [ %3, %405 ], [ %400, %399 ]
  %410 = icmp slt i64 %409, 0
  br i1 %410, label %626, label %411

411:                                              ; preds = %408, %387, %384
  %412 = phi i64 [ %409, %408 ], [ %385, %387 ], [ %385, %384 ]
  %413 = icmp slt i64 %412, %3
  br i1 %413, label %414, label %442

414:                                              ; preds = %411
  %415 = getelementptr inbounds i8, ptr %1, i64 %412
  %416 = load i8, ptr %415, align 1
  switch i8 %416, label %442 [
    i8 101, label %417
    i8 69, label %417
  ]

417:                                              ; preds = %414, %414
  %418 = add i64 %412, 1
  %419 = icmp slt i64 %418, %3
  br i1 %419, label %420, label %425

420:                                              ; preds = %417
  %421 = getelementptr inbounds i8, ptr %1, i64 %418
  %422 = load i8, ptr %421, align 1
  switch i8 %422, label %425 [
    i8 43, label %423
    i8 45, label %423
  ]

423:                                              ; preds = %420, %420
  %424 = add i64 %412, 2
  br label %425

425:                                              ; preds = %423, %420, %417
  %426 = phi i64 [ %424, %423 ], [ %418, %420 ], [ %418, %417 ]
  %427 = icmp slt i64 %426, %3
  br i1 %427, label %428, label %626

428:                                              ; preds = %425
  %429 = getelementptr inbounds i8, ptr %1, i64 %426
  %430 = load i8, ptr %429, align 1
  %431 = add i8 %430, -58
  %432 = icmp ult i8 %431, -10
  br i1 %432, label %626, label %433

433:                                              ; preds = %428, %439
  %434 = phi i64 [ %440, %439 ], [ %426, %428 ]
  %435 = getelementptr inbounds i8, ptr %1, i64 %434
  %436 = load i8, ptr %435, align 1
  %437 = add i8 %436, -58
  %438 = icmp ult i8 %437, -10
  br i1 %438, label %442, label %439

439:                                              ; preds = %433
  %440 = add i64 %434, 1
  %441 = icmp eq i64 %440, %3
  br i1 %441, label %442, label %433

442:                                              ; preds = %439, %433, %414, %411, %356, %341, %326
  %443 = phi i64 [ %327, %326 ], [ %342, %341 ], [ %412, %411 ], [ %357, %356 ], [ %412, %414 ], [ %3, %439 ], [ %434, %433 ]
  %444 = icmp slt i64 %443, 0
  %445 = sub i64 %443, %230
  %446 = icmp sgt i64 %445, 100
  %447 = select i1 %444, i1 true, i1 %446
  br i1 %447, label %626, label %448

448:                                              ; preds = %442
  switch i8 %234, label %449 [
    i8 116, label %458
    i8 102, label %458
  ]

449:                                              ; preds = %448, %452
  %450 = phi i64 [ %457, %452 ], [ %230, %448 ]
  %451 = icmp slt i64 %450, %443
  br i1 %451, label %452, label %458

452:                                              ; preds = %449
  %453 = getelementptr inbounds i8, ptr %1, i64 %450
  %454 = load i8, ptr %453, align 1
  %455 = and i8 %454, -33
  %456 = icmp eq i8 %455, 69
  %457 = add i64 %450, 1
  br i1 %456, label %626, label %449

458:                                              ; preds = %449, %448, %448, %312, %274, %261
  %459 = phi i64 [ %263, %261 ], [ %232, %312 ], [ %232, %274 ], [ %232, %448 ], [ %232, %448 ], [ %232, %449 ]
  %460 = phi i64 [ %262, %261 ], [ %266, %312 ], [ %266, %274 ], [ %443, %448 ], [ %443, %448 ], [ %443, %449 ]
  %461 = icmp eq i32 %231, 0
  br i1 %461, label %593, label %462

462:                                              ; preds = %458, %487
  %463 = phi i64 [ %488, %487 ], [ %460, %458 ]
  %464 = phi i32 [ %489, %487 ], [ %231, %458 ]
  %465 = phi i64 [ %490, %487 ], [ %459, %458 ]
  %466 = icmp slt i64 %463, %3
  br i1 %466, label %467, label %474

467:                                              ; preds = %462, %471
  %468 = phi i64 [ %472, %471 ], [ %463, %462 ]
  %469 = getelementptr inbounds i8, ptr %1, i64 %468
  %470 = load i8, ptr %469, align 1
  switch i8 %470, label %474 [
    i8 32, label %471
    i8 13, label %471
    i8 9, label %471
    i8 10, label %471
  ]

471:                                              ; preds = %467, %467, %467, %467
  %472 = add i64 %468, 1
  %473 = icmp eq i64 %472, %3
  br i1 %473, label %626, label %467

474:                                              ; preds = %467, %462
  %475 = phi i64 [ %463, %462 ], [ %468, %467 ]
  %476 = icmp slt i64 %475, %3
  br i1 %476, label %477, label %626

477:                                              ; preds = %474
  %478 = getelementptr inbounds i8, ptr %1, i64 %475
  %479 = load i8, ptr %478, align 1
  %480 = icmp eq i8 %479, 44
  br i1 %480, label %492, label %481

481:                                              ; preds = %477
  %482 = zext i8 %479 to i32
  %483 = and i64 %465, 1
  %484 = icmp eq i64 %483, 0
  %485 = select i1 %484, i32 93, i32 125
  %486 = icmp eq i32 %485, %482
  br i1 %486, label %487, label %626

487:                                              ; preds = %481
  %488 = add i64 %475, 1
  %489 = add i32 %464, -1
  %490 = lshr i64 %465, 1
  %491 = icmp eq i32 %489, 0
  br i1 %491, label %593, label %462

492:                                              ; preds = %477
  %493 = add i64 %475, 1
  %494 = icmp slt i64 %493, %3
  br i1 %494, label %495, label %502

495:                                              ; preds = %492, %499
  %496 = phi i64 [ %500, %499 ], [ %493, %492 ]
  %497 = getelementptr inbounds i8, ptr %1, i64 %496
  %498 = load i8, ptr %497, align 1
  switch i8 %498, label %502 [
    i8 32, label %499
    i8 13, label %499
    i8 9, label %499
    i8 10, label %499
  ]

499:                                              ; preds = %495, %495, %495, %495
  %500 = add i64 %496, 1
  %501 = icmp eq i64 %500, %3
  br i1 %501, label %502, label %495

502:                                              ; preds = %499, %495, %492
  %503 = phi i64 [ %493, %492 ], [ %496, %495 ], [ %3, %499 ]
  %504 = and i64 %465, 1
  %505 = icmp eq i64 %504, 0
  br i1 %505, label %588, label %506

506:                                              ; preds = %502, %260
  %507 = phi i64 [ %242, %260 ], [ %465, %502 ]
  %508 = phi i32 [ %237, %260 ], [ %464, %502 ]
  %509 = phi i64 [ %253, %260 ], [ %503, %502 ]
  %510 = icmp slt i64 %509, %3
  br i1 %510, label %511, label %626

511:                                              ; preds = %506
  %512 = getelementptr inbounds i8, ptr %1, i64 %509
  %513 = load i8, ptr %512, align 1
  %514 = icmp eq i8 %513, 34
  br i1 %514, label %515, label %626

515:                                              ; preds = %511
  %516 = add i64 %509, 1
  store i32 0, ptr %6, align 4
  %517 = call fastcc i64 @end_of_string(ptr %1, i64 %516, i64 %3, ptr %6)
  %518 = icmp slt i64 %517, 0
  br i1 %518, label %561, label %519

519:                                              ; preds = %515
  %520 = load i32, ptr %6, align 4
  %521 = icmp eq i32 %520, 0
  %522 = add i64 %517, -1
  %523 = icmp sge i64 %516, %522
  %524 = select i1 %521, i1 true, i1 %523
  br i1 %524, label %562, label %525

525:                                              ; preds = %519, %557
  %526 = phi i64 [ %559, %557 ], [ %516, %519 ]
  %527 = getelementptr inbounds i8, ptr %1, i64 %526
  %528 = load i8, ptr %527, align 1
  %529 = icmp eq i8 %528, 92
  br i1 %529, label %530, label %557

530:                                              ; preds = %525
  %531 = add i64 %526, 1
  %532 = getelementptr inbounds i8, ptr %1, i64 %531
  %533 = load i8, ptr %532, align 1
  %534 = icmp eq i8 %533, 117
  br i1 %534, label %535, label %557

535:                                              ; preds = %530
  %536 = getelementptr inbounds i8, ptr %532, i64 1
  br label %537

537:                                              ; preds = %537, %535
  %538 = phi i64 [ 0, %535 ], [ %550, %537 ]
  %539 = phi i32 [ 0, %535 ], [ %549, %537 ]
  %540 = shl i32 %539, 4
  %541 = getelementptr inbounds i8, ptr %536, i64 %538
  %542 = load i8, ptr %541, align 1
  %543 = zext i8 %542 to i32
  %544 = icmp ult i8 %542, 58
  %545 = add i32 %543, -48
  %546 = or i32 %543, 32
  %547 = add i32 %546, -87
  %548 = select i1 %544, i32 %545, i32 %547
  %549 = add i32 %548, %540
  %550 = add i64 %538, 1
  %551 = icmp eq i64 %550, 4
  br i1 %551, label %552, label %537

552:                                              ; preds = %537
  %553 = icmp eq i32 %549, 0
  %554 = and i32 %549, -2048
  %555 = icmp eq i32 %554, 55296
  %556 = or i1 %553, %555
  br i1 %556, label %561, label %557

557:                                              ; preds = %552, %530, %525
  %558 = phi i64 [ %526, %525 ], [ %531, %530 ], [ %531, %552 ]
  %559 = add i64 %558, 1
  %560 = icmp slt i64 %559, %522
  br i1 %560, label %525, label %562

561:                                              ; preds = %515, %552
  br label %626

562:                                              ; preds = %557, %519
  %563 = icmp slt i64 %517, %3
  br i1 %563, label %564, label %571

564:                                              ; preds = %562, %568
  %565 = phi i64 [ %569, %568 ], [ %517, %562 ]
  %566 = getelementptr inbounds i8, ptr %1, i64 %565
  %567 = load i8, ptr %566, align 1
  switch i8 %567, label %571 [
    i8 32, label %568
    i8 13, label %568
    i8 9, label %568
    i8 10, label %568
  ]

568:                                              ; preds = %564, %564, %564, %564
  %569 = add i64 %565, 1
  %570 = icmp eq i64 %569, %3
  br i1 %570, label %626, label %564

571:                                              ; preds = %564, %562
  %572 = phi i64 [ %517, %562 ], [ %565, %564 ]
  %573 = icmp slt i64 %572, %3
  br i1 %573, label %574, label %626

574:                                              ; preds = %571
  %575 = getelementptr inbounds i8, ptr %1, i64 %572
  %576 = load i8, ptr %575, align 1
  %577 = icmp eq i8 %576, 58
  br i1 %577, label %578, label %626

578:                                              ; preds = %574
  %579 = add i64 %572, 1
  %580 = icmp slt i64 %579, %3
  br i1 %580, label %581, label %588

581:                                              ; preds = %578, %585
  %582 = phi i64 [ %586, %585 ], [ %579, %578 ]
  %583 = getelementptr inbounds i8, ptr %1, i64 %582
  %584 = load i8, ptr %583, align 1
  switch i8 %584, label %588 [
    i8 32, label %585
    i8 13, label %585
    i8 9, label %585
    i8 10, label %585
  ]

585:                                              ; preds = %581, %581, %581, %581
  %586 = add i64 %582, 1
  %587 = icmp eq i64 %586, %3
  br i1 %587, label %626, label %581

588:                                              ; preds = %581, %578, %502, %260
  %589 = phi i64 [ %507, %578 ], [ %242, %260 ], [ %465, %502 ], [ %507, %581 ]
  %590 = phi i32 [ %508, %578 ], [ %237, %260 ], [ %464, %502 ], [ %508, %581 ]
  %591 = phi i64 [ %579, %578 ], [ %253, %260 ], [ %503, %502 ], [ %582, %581 ]
  %592 = icmp slt i64 %591, %3
  br i1 %592, label %229, label %626

593:                                              ; preds = %458, %487, %220
  %594 = phi i64 [ %225, %220 ], [ %488, %487 ], [ %460, %458 ]
  %595 = icmp slt i64 %594, 0
  br i1 %595, label %626, label %596

596:                                              ; preds = %593
  %597 = icmp slt i64 %594, %3
  br i1 %597, label %598, label %605

598:                                              ; preds = %596, %602
  %599 = phi i64 [ %603, %602 ], [ %594, %596 ]
  %600 = getelementptr inbounds i8, ptr %1, i64 %599
  %601 = load i8, ptr %600, align 1
  switch i8 %601, label %605 [
    i8 32, label %602
    i8 13, label %602
    i8 9, label %602
    i8 10, label %602
  ]

602:                                              ; preds = %598, %598, %598, %598
  %603 = add i64 %599, 1
  %604 = icmp eq i64 %603, %3
  br i1 %604, label %626, label %598

605:                                              ; preds = %598, %596
  %606 = phi i64 [ %594, %596 ], [ %599, %598 ]
  %607 = icmp slt i64 %606, %3
  br i1 %607, label %608, label %626

608:                                              ; preds = %605
  %609 = getelementptr inbounds i8, ptr %1, i64 %606
  %610 = load i8, ptr %609, align 1
  switch i8 %610, label %626 [
    i8 125, label %611
    i8 44, label %613
  ]

611:                                              ; preds = %608
  %612 = add i64 %606, 1
  br label %626

613:                                              ; preds = %608
  %614 = add i64 %606, 1
  %615 = icmp slt i64 %614, %3
  br i1 %615, label %616, label %623

616:                                              ; preds = %613, %620
  %617 = phi i64 [ %621, %620 ], [ %614, %613 ]
  %618 = getelementptr inbounds i8, ptr %1, i64 %617
  %619 = load i8, ptr %618, align 1
  switch i8 %619, label %623 [
    i8 32, label %620
    i8 13, label %620
    i8 9, label %620
    i8 10, label %620
  ]

620:                                              ; preds = %616, %616, %616, %616
  %621 = add i64 %617, 1
  %622 = icmp eq i64 %621, %3
  br i1 %622, label %626, label %616

623:                                              ; preds = %616, %613
  %624 = phi i64 [ %614, %613 ], [ %617, %616 ]
  %625 = icmp slt i64 %624, %3
  br i1 %625, label %41, label %626

626:                                              ; preds = %21, %41, %623, %199, %216, %593, %605, %202, %608, %226, %196, %213, %236, %506, %252, %511, %574, %571, %442, %313, %328, %343, %381, %358, %408, %391, %425, %428, %394, %369, %588, %602, %620, %334, %319, %349, %249, %452, %481, %474, %568, %585, %471, %33, %311, %561, %103, %611, %31
  %627 = phi i64 [ %32, %31 ], [ -1, %585 ], [ -1, %311 ], [ -1, %213 ], [ -1, %568 ], [ -1, %605 ], [ -1, %103 ], [ -1, %349 ], [ -1, %33 ], [ -1, %334 ], [ -1, %471 ], [ %612, %611 ], [ -1, %236 ], [ -1, %481 ], [ -1, %196 ], [ -1, %452 ], [ -1, %249 ], [ -1, %561 ], [ -1, %602 ], [ -1, %319 ], [ -1, %620 ], [ -1, %474 ], [ -1, %588 ], [ -1, %369 ], [ -1, %394 ], [ -1, %428 ], [ -1, %425 ], [ -1, %391 ], [ -1, %408 ], [ -1, %358 ], [ -1, %381 ], [ -1, %343 ], [ -1, %328 ], [ -1, %313 ], [ -1, %442 ], [ -1, %571 ], [ -1, %574 ], [ -1, %511 ], [ -1, %252 ], [ -1, %506 ], [ -1, %226 ], [ -1, %608 ], [ -1, %623 ], [ -1, %199 ], [ -1, %216 ], [ %594, %593 ], [ -1, %202 ], [ -1, %41 ], [ -1, %21 ]
  ret i64 %627
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
  br i1 %13, label %14, label %83

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

23:                                               ; preds = %14, %66
  %24 = phi i1 [ true, %14 ], [ false, %66 ]
  %25 = phi i64 [ %16, %14 ], [ %18, %66 ]
  %26 = icmp slt i64 %25, 0
  br i1 %26, label %66, label %27

27:                                               ; preds = %23
  %28 = load ptr, ptr %19, align 8
  %29 = getelementptr inbounds %struct.column, ptr %28, i64 %25
  %30 = getelementptr inbounds i8, ptr %29, i64 72
  %31 = load i64, ptr %30, align 8
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %33, label %365

33:                                               ; preds = %27
  %34 = getelementptr inbounds i8, ptr %29, i64 80
  %35 = load i64, ptr %34, align 8
  %36 = load i64, ptr %20, align 8
  %37 = icmp eq i64 %35, %36
  br i1 %37, label %365, label %38

38:                                               ; preds = %33
  store i64 %36, ptr %34, align 8
  %39 = load i64, ptr %21, align 8
  %40 = add i64 %39, 1
  store i64 %40, ptr %21, align 8
  %41 = getelementptr inbounds i8, ptr %29, i64 24
  %42 = load ptr, ptr %41, align 8
  %43 = load i64, ptr %22, align 8
  %44 = getelementptr inbounds i8, ptr %42, i64 %43
  store i8 0, ptr %44, align 1
  %45 = load i64, ptr %29, align 8
  switch i64 %45, label %60 [
    i64 4, label %46
    i64 3, label %55
    i64 0, label %66
  ]

46:                                               ; preds = %38
  %47 = getelementptr inbounds i8, ptr %29, i64 40
  %48 = load i64, ptr %47, align 8
  %49 = trunc i64 %48 to i32
  %50 = getelementptr inbounds i8, ptr %29, i64 16
  %51 = load ptr, ptr %50, align 8
  %52 = load i64, ptr %22, align 8
  %53 = getelementptr i32, ptr %51, i64 %52
  %54 = getelementptr i8, ptr %53, i64 4
  store i32 %49, ptr %54, align 4
  br label %66

55:                                               ; preds = %38
  %56 = getelementptr inbounds i8, ptr %29, i64 8
  %57 = load ptr, ptr %56, align 8
  %58 = load i64, ptr %22, align 8
  %59 = getelementptr inbounds i8, ptr %57, i64 %58
  store i8 0, ptr %59, align 1
  br label %66

60:                                               ; preds = %38
  %61 = getelementptr inbounds i8, ptr %29, i64 8
  %62 = load ptr, ptr %61, align 8
  %63 = load i64, ptr %22, align 8
  %64 = shl i64 %63, 3
  %65 = getelementptr inbounds i8, ptr %62, i64 %64
  store i64 0, ptr %65, align 1
  br label %66

66:                                               ; preds = %60, %55, %46, %38, %23
  br i1 %24, label %23, label %67

67:                                               ; preds = %66
  %68 = sub i64 %3, %2
  %69 = icmp slt i64 %68, 4
  br i1 %69, label %365, label %73

70:                                               ; preds = %73
  %71 = add i64 %74, 1
  %72 = icmp eq i64 %71, 4
  br i1 %72, label %80, label %73

73:                                               ; preds = %67, %70
  %74 = phi i64 [ %71, %70 ], [ 0, %67 ]
  %75 = getelementptr i8, ptr %11, i64 %74
  %76 = load i8, ptr %75, align 1
  %77 = getelementptr inbounds i8, ptr @.str, i64 %74
  %78 = load i8, ptr %77, align 1
  %79 = icmp eq i8 %76, %78
  br i1 %79, label %70, label %365

80:                                               ; preds = %70
  %81 = call i64 @llvm.smax.i64(i64 %2, i64 -5)
  %82 = add i64 %81, 4
  br label %365

83:                                               ; preds = %6
  %84 = icmp eq i32 %5, 0
  br i1 %84, label %127, label %85

85:                                               ; preds = %83
  %86 = icmp eq i8 %12, 34
  br i1 %86, label %87, label %365

87:                                               ; preds = %85
  %88 = getelementptr inbounds i8, ptr %0, i64 48
  %89 = load ptr, ptr %88, align 8
  %90 = add i64 %2, 1
  %91 = call fastcc i64 @put_string(ptr %1, i64 %90, i64 %3, ptr %89, ptr %7)
  %92 = icmp slt i64 %91, 0
  br i1 %92, label %125, label %93

93:                                               ; preds = %87
  %94 = load i64, ptr %7, align 8
  %95 = load ptr, ptr %88, align 8
  %96 = getelementptr i8, ptr %95, i64 %94
  %97 = getelementptr i8, ptr %96, i64 8
  store ptr %97, ptr %88, align 8
  %98 = icmp sgt i64 %94, 0
  br i1 %98, label %99, label %106

99:                                               ; preds = %93, %103
  %100 = phi i64 [ %104, %103 ], [ 0, %93 ]
  %101 = getelementptr inbounds i8, ptr %89, i64 %100
  %102 = load i8, ptr %101, align 1
  switch i8 %102, label %106 [
    i8 32, label %103
    i8 13, label %103
    i8 9, label %103
    i8 10, label %103
  ]

103:                                              ; preds = %99, %99, %99, %99
  %104 = add i64 %100, 1
  %105 = icmp eq i64 %104, %94
  br i1 %105, label %125, label %99

106:                                              ; preds = %99, %93
  %107 = phi i64 [ 0, %93 ], [ %100, %99 ]
  %108 = icmp slt i64 %107, %94
  br i1 %108, label %109, label %125

109:                                              ; preds = %106
  %110 = call fastcc i64 @value_of(ptr %0, ptr %89, i64 %107, i64 %94, i64 %4, i32 0)
  store ptr %89, ptr %88, align 8
  %111 = icmp slt i64 %110, 0
  br i1 %111, label %125, label %112

112:                                              ; preds = %109
  %113 = icmp slt i64 %110, %94
  br i1 %113, label %114, label %121

114:                                              ; preds = %112, %118
  %115 = phi i64 [ %119, %118 ], [ %110, %112 ]
  %116 = getelementptr inbounds i8, ptr %89, i64 %115
  %117 = load i8, ptr %116, align 1
  switch i8 %117, label %121 [
    i8 32, label %118
    i8 13, label %118
    i8 9, label %118
    i8 10, label %118
  ]

118:                                              ; preds = %114, %114, %114, %114
  %119 = add i64 %115, 1
  %120 = icmp eq i64 %119, %94
  br i1 %120, label %121, label %114

121:                                              ; preds = %114, %118, %112
  %122 = phi i64 [ %110, %112 ], [ %94, %118 ], [ %115, %114 ]
  %123 = icmp eq i64 %122, %94
  %124 = select i1 %123, i64 %91, i64 -1
  br label %125

125:                                              ; preds = %103, %87, %106, %109, %121
  %126 = phi i64 [ %91, %87 ], [ -1, %106 ], [ %124, %121 ], [ %110, %109 ], [ -1, %103 ]
  br label %365

127:                                              ; preds = %83
  %128 = icmp eq i8 %12, 123
  br i1 %128, label %129, label %220

129:                                              ; preds = %127
  %130 = getelementptr inbounds i8, ptr %10, i64 40
  %131 = load i64, ptr %130, align 8
  %132 = icmp sgt i64 %131, -1
  br i1 %132, label %133, label %220

133:                                              ; preds = %129
  %134 = getelementptr inbounds i8, ptr %10, i64 32
  %135 = load i64, ptr %134, align 8
  %136 = icmp sgt i64 %135, -1
  br i1 %136, label %137, label %180

137:                                              ; preds = %133
  %138 = getelementptr inbounds i8, ptr %0, i64 8
  %139 = load ptr, ptr %138, align 8
  %140 = getelementptr inbounds %struct.column, ptr %139, i64 %135
  %141 = getelementptr inbounds i8, ptr %140, i64 72
  %142 = load i64, ptr %141, align 8
  %143 = icmp eq i64 %142, 0
  br i1 %143, label %144, label %365

144:                                              ; preds = %137
  %145 = getelementptr inbounds i8, ptr %140, i64 80
  %146 = load i64, ptr %145, align 8
  %147 = getelementptr inbounds i8, ptr %0, i64 120
  %148 = load i64, ptr %147, align 8
  %149 = icmp eq i64 %146, %148
  br i1 %149, label %365, label %150

150:                                              ; preds = %144
  store i64 %148, ptr %145, align 8
  %151 = getelementptr inbounds i8, ptr %0, i64 128
  %152 = load i64, ptr %151, align 8
  %153 = add i64 %152, 1
  store i64 %153, ptr %151, align 8
  %154 = getelementptr inbounds i8, ptr %140, i64 24
  %155 = load ptr, ptr %154, align 8
  %156 = getelementptr inbounds i8, ptr %0, i64 112
  %157 = load i64, ptr %156, align 8
  %158 = getelementptr inbounds i8, ptr %155, i64 %157
  store i8 0, ptr %158, align 1
  %159 = load i64, ptr %140, align 8
  switch i64 %159, label %174 [
    i64 4, label %160
    i64 3, label %169
    i64 0, label %180
  ]

160:                                              ; preds = %150
  %161 = getelementptr inbounds i8, ptr %140, i64 40
  %162 = load i64, ptr %161, align 8
  %163 = trunc i64 %162 to i32
  %164 = getelementptr inbounds i8, ptr %140, i64 16
  %165 = load ptr, ptr %164, align 8
  %166 = load i64, ptr %156, align 8
  %167 = getelementptr i32, ptr %165, i64 %166
  %168 = getelementptr i8, ptr %167, i64 4
  store i32 %163, ptr %168, align 4
  br label %180

169:                                              ; preds = %150
  %170 = getelementptr inbounds i8, ptr %140, i64 8
  %171 = load ptr, ptr %170, align 8
  %172 = load i64, ptr %156, align 8
  %173 = getelementptr inbounds i8, ptr %171, i64 %172
  store i8 0, ptr %173, align 1
  br label %180

174:                                              ; preds = %150
  %175 = getelementptr inbounds i8, ptr %140, i64 8
  %176 = load ptr, ptr %175, align 8
  %177 = load i64, ptr %156, align 8
  %178 = shl i64 %177, 3
  %179 = getelementptr inbounds i8, ptr %176, i64 %178
  store i64 0, ptr %179, align 1
  br label %180

180:                                              ; preds = %174, %169, %160, %150, %133
  %181 = getelementptr inbounds i8, ptr %0, i64 8
  %182 = load ptr, ptr %181, align 8
  %183 = getelementptr inbounds %struct.column, ptr %182, i64 %131
  %184 = getelementptr inbounds i8, ptr %183, i64 80
  %185 = load i64, ptr %184, align 8
  %186 = getelementptr inbounds i8, ptr %0, i64 120
  %187 = load i64, ptr %186, align 8
  %188 = icmp eq i64 %185, %187
  br i1 %188, label %365, label %189

189:                                              ; preds = %180
  store i64 %187, ptr %184, align 8
  %190 = getelementptr inbounds i8, ptr %0, i64 128
  %191 = load i64, ptr %190, align 8
  %192 = add i64 %191, 1
  store i64 %192, ptr %190, align 8
  %193 = getelementptr inbounds i8, ptr %183, i64 24
  %194 = load ptr, ptr %193, align 8
  %195 = getelementptr inbounds i8, ptr %0, i64 112
  %196 = load i64, ptr %195, align 8
  %197 = getelementptr inbounds i8, ptr %194, i64 %196
  store i8 1, ptr %197, align 1
  %198 = add i64 %2, 1
  %199 = icmp slt i64 %198, %3
  br i1 %199, label %200, label %207

200:                                              ; preds = %189, %204
  %201 = phi i64 [ %205, %204 ], [ %198, %189 ]
  %202 = getelementptr inbounds i8, ptr %1, i64 %201
  %203 = load i8, ptr %202, align 1
  switch i8 %203, label %207 [
    i8 32, label %204
    i8 13, label %204
    i8 9, label %204
    i8 10, label %204
  ]

204:                                              ; preds = %200, %200, %200, %200
  %205 = add i64 %201, 1
  %206 = icmp eq i64 %205, %3
  br i1 %206, label %217, label %200

207:                                              ; preds = %200, %189
  %208 = phi i64 [ %198, %189 ], [ %201, %200 ]
  %209 = load i64, ptr %134, align 8
  %210 = icmp sgt i64 %209, -1
  %211 = icmp slt i64 %208, %3
  %212 = and i1 %211, %210
  br i1 %212, label %213, label %217

213:                                              ; preds = %207
  %214 = getelementptr inbounds i8, ptr %1, i64 %208
  %215 = load i8, ptr %214, align 1
  %216 = icmp eq i8 %215, 125
  br i1 %216, label %365, label %217

217:                                              ; preds = %204, %213, %207
  %218 = phi i64 [ %208, %207 ], [ %208, %213 ], [ %3, %204 ]
  %219 = call fastcc i64 @fields_of(ptr %0, ptr %1, i64 %218, i64 %3, i64 %4)
  br label %365

220:                                              ; preds = %129, %127
  %221 = getelementptr inbounds i8, ptr %10, i64 32
  %222 = load i64, ptr %221, align 8
  %223 = icmp slt i64 %222, 0
  br i1 %223, label %365, label %224

224:                                              ; preds = %220
  %225 = getelementptr inbounds i8, ptr %10, i64 40
  %226 = load i64, ptr %225, align 8
  %227 = icmp sgt i64 %226, -1
  br i1 %227, label %228, label %271

228:                                              ; preds = %224
  %229 = getelementptr inbounds i8, ptr %0, i64 8
  %230 = load ptr, ptr %229, align 8
  %231 = getelementptr inbounds %struct.column, ptr %230, i64 %226
  %232 = getelementptr inbounds i8, ptr %231, i64 72
  %233 = load i64, ptr %232, align 8
  %234 = icmp eq i64 %233, 0
  br i1 %234, label %235, label %365

235:                                              ; preds = %228
  %236 = getelementptr inbounds i8, ptr %231, i64 80
  %237 = load i64, ptr %236, align 8
  %238 = getelementptr inbounds i8, ptr %0, i64 120
  %239 = load i64, ptr %238, align 8
  %240 = icmp eq i64 %237, %239
  br i1 %240, label %365, label %241

241:                                              ; preds = %235
  store i64 %239, ptr %236, align 8
  %242 = getelementptr inbounds i8, ptr %0, i64 128
  %243 = load i64, ptr %242, align 8
  %244 = add i64 %243, 1
  store i64 %244, ptr %242, align 8
  %245 = getelementptr inbounds i8, ptr %231, i64 24
  %246 = load ptr, ptr %245, align 8
  %247 = getelementptr inbounds i8, ptr %0, i64 112
  %248 = load i64, ptr %247, align 8
  %249 = getelementptr inbounds i8, ptr %246, i64 %248
  store i8 0, ptr %249, align 1
  %250 = load i64, ptr %231, align 8
  switch i64 %250, label %265 [
    i64 4, label %251
    i64 3, label %260
    i64 0, label %271
  ]

251:                                              ; preds = %241
  %252 = getelementptr inbounds i8, ptr %231, i64 40
  %253 = load i64, ptr %252, align 8
  %254 = trunc i64 %253 to i32
  %255 = getelementptr inbounds i8, ptr %231, i64 16
  %256 = load ptr, ptr %255, align 8
  %257 = load i64, ptr %247, align 8
  %258 = getelementptr i32, ptr %256, i64 %257
  %259 = getelementptr i8, ptr %258, i64 4
  store i32 %254, ptr %259, align 4
  br label %271

260:                                              ; preds = %241
  %261 = getelementptr inbounds i8, ptr %231, i64 8
  %262 = load ptr, ptr %261, align 8
  %263 = load i64, ptr %247, align 8
  %264 = getelementptr inbounds i8, ptr %262, i64 %263
  store i8 0, ptr %264, align 1
  br label %271

265:                                              ; preds = %241
  %266 = getelementptr inbounds i8, ptr %231, i64 8
  %267 = load ptr, ptr %266, align 8
  %268 = load i64, ptr %247, align 8
  %269 = shl i64 %268, 3
  %270 = getelementptr inbounds i8, ptr %267, i64 %269
  store i64 0, ptr %270, align 1
  br label %271

271:                                              ; preds = %265, %260, %251, %241, %224
  %272 = getelementptr inbounds i8, ptr %0, i64 8
  %273 = load ptr, ptr %272, align 8
  %274 = getelementptr inbounds %struct.column, ptr %273, i64 %222
  %275 = getelementptr inbounds i8, ptr %274, i64 80
  %276 = load i64, ptr %275, align 8
  %277 = getelementptr inbounds i8, ptr %0, i64 120
  %278 = load i64, ptr %277, align 8
  %279 = icmp eq i64 %276, %278
  br i1 %279, label %365, label %280

280:                                              ; preds = %271
  store i64 %278, ptr %275, align 8
  %281 = getelementptr inbounds i8, ptr %0, i64 128
  %282 = load i64, ptr %281, align 8
  %283 = add i64 %282, 1
  store i64 %283, ptr %281, align 8
  %284 = getelementptr inbounds i8, ptr %274, i64 24
  %285 = load ptr, ptr %284, align 8
  %286 = getelementptr inbounds i8, ptr %0, i64 112
  %287 = load i64, ptr %286, align 8
  %288 = getelementptr inbounds i8, ptr %285, i64 %287
  store i8 1, ptr %288, align 1
  %289 = load ptr, ptr %272, align 8
  %290 = load i64, ptr %221, align 8
  %291 = getelementptr inbounds %struct.column, ptr %289, i64 %290
  %292 = load i64, ptr %291, align 8
  switch i64 %292, label %336 [
    i64 1, label %293
    i64 2, label %295
    i64 3, label %297
  ]

293:                                              ; preds = %280
  %294 = call fastcc i64 @put_integer(ptr %0, ptr %291, ptr %1, i64 %2, i64 %3)
  br label %365

295:                                              ; preds = %280
  %296 = call fastcc i64 @put_number(ptr %0, ptr %291, ptr %1, i64 %2, i64 %3)
  br label %365

297:                                              ; preds = %280
  %298 = icmp eq i8 %12, 116
  %299 = zext i1 %298 to i8
  %300 = getelementptr inbounds i8, ptr %291, i64 8
  %301 = load ptr, ptr %300, align 8
  %302 = load i64, ptr %286, align 8
  %303 = getelementptr inbounds i8, ptr %301, i64 %302
  store i8 %299, ptr %303, align 1
  %304 = sub i64 %3, %2
  br i1 %298, label %305, label %319

305:                                              ; preds = %297
  %306 = icmp slt i64 %304, 4
  br i1 %306, label %333, label %310

307:                                              ; preds = %310
  %308 = add i64 %311, 1
  %309 = icmp eq i64 %308, 4
  br i1 %309, label %317, label %310

310:                                              ; preds = %305, %307
  %311 = phi i64 [ %308, %307 ], [ 0, %305 ]
  %312 = getelementptr i8, ptr %11, i64 %311
  %313 = load i8, ptr %312, align 1
  %314 = getelementptr inbounds i8, ptr @.str.1, i64 %311
  %315 = load i8, ptr %314, align 1
  %316 = icmp eq i8 %313, %315
  br i1 %316, label %307, label %333

317:                                              ; preds = %307
  %318 = add i64 %2, 4
  br label %333

319:                                              ; preds = %297
  %320 = icmp slt i64 %304, 5
  br i1 %320, label %333, label %324

321:                                              ; preds = %324
  %322 = add i64 %325, 1
  %323 = icmp eq i64 %322, 5
  br i1 %323, label %331, label %324

324:                                              ; preds = %319, %321
  %325 = phi i64 [ %322, %321 ], [ 0, %319 ]
  %326 = getelementptr i8, ptr %11, i64 %325
  %327 = load i8, ptr %326, align 1
  %328 = getelementptr inbounds i8, ptr @.str.2, i64 %325
  %329 = load i8, ptr %328, align 1
  %330 = icmp eq i8 %327, %329
  br i1 %330, label %321, label %333

331:                                              ; preds = %321
  %332 = add i64 %2, 5
  br label %333

333:                                              ; preds = %324, %310, %331, %319, %317, %305
  %334 = phi i64 [ -1, %310 ], [ -1, %305 ], [ %318, %317 ], [ -1, %319 ], [ %332, %331 ], [ -1, %324 ]
  %335 = call i64 @llvm.smax.i64(i64 %334, i64 -1)
  br label %365

336:                                              ; preds = %280
  %337 = icmp eq i8 %12, 34
  br i1 %337, label %338, label %365

338:                                              ; preds = %336
  %339 = getelementptr inbounds i8, ptr %291, i64 32
  %340 = load i64, ptr %339, align 8
  %341 = getelementptr inbounds i8, ptr %291, i64 40
  %342 = load i64, ptr %341, align 8
  %343 = sub i64 %340, %342
  %344 = sub i64 %3, %2
  %345 = add i64 %344, 8
  %346 = icmp slt i64 %343, %345
  br i1 %346, label %365, label %347

347:                                              ; preds = %338
  %348 = add i64 %2, 1
  %349 = getelementptr inbounds i8, ptr %291, i64 8
  %350 = load ptr, ptr %349, align 8
  %351 = getelementptr inbounds i8, ptr %350, i64 %342
  %352 = call fastcc i64 @put_string(ptr %1, i64 %348, i64 %3, ptr %351, ptr %8)
  %353 = icmp slt i64 %352, 0
  br i1 %353, label %364, label %354

354:                                              ; preds = %347
  %355 = load i64, ptr %8, align 8
  %356 = load i64, ptr %341, align 8
  %357 = add i64 %356, %355
  store i64 %357, ptr %341, align 8
  %358 = trunc i64 %357 to i32
  %359 = getelementptr inbounds i8, ptr %291, i64 16
  %360 = load ptr, ptr %359, align 8
  %361 = load i64, ptr %286, align 8
  %362 = getelementptr i32, ptr %360, i64 %361
  %363 = getelementptr i8, ptr %362, i64 4
  store i32 %358, ptr %363, align 4
  br label %364

364:                                              ; preds = %347, %354
  br label %365

365:                                              ; preds = %67, %80, %73, %27, %33, %235, %271, %228, %144, %180, %137, %293, %295, %333, %364, %336, %338, %220, %217, %213, %125, %85
  %366 = phi i64 [ -1, %235 ], [ -1, %220 ], [ -2, %338 ], [ -1, %85 ], [ -1, %213 ], [ %126, %125 ], [ %219, %217 ], [ -1, %144 ], [ %335, %333 ], [ -1, %336 ], [ %352, %364 ], [ %294, %293 ], [ %296, %295 ], [ -1, %137 ], [ -1, %180 ], [ -1, %228 ], [ -1, %271 ], [ %82, %80 ], [ -1, %73 ], [ -1, %67 ], [ -1, %27 ], [ -1, %33 ]
  ret i64 %366
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
  %6 = getelementptr inbounds i8, ptr %2, i64 %3
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 45
  %9 = zext i1 %8 to i64
  %10 = add i64 %3, %9
  %11 = icmp slt i64 %10, %4
  br i1 %11, label %12, label %213

12:                                               ; preds = %5, %29
  %13 = phi i32 [ %30, %29 ], [ 0, %5 ]
  %14 = phi i64 [ %24, %29 ], [ 0, %5 ]
  %15 = phi i64 [ %31, %29 ], [ %10, %5 ]
  %16 = getelementptr inbounds i8, ptr %2, i64 %15
  %17 = load i8, ptr %16, align 1
  %18 = add i8 %17, -58
  %19 = icmp ult i8 %18, -10
  br i1 %19, label %33, label %20

20:                                               ; preds = %12
  %21 = mul i64 %14, 10
  %22 = zext i8 %17 to i64
  %23 = add i64 %21, -48
  %24 = add i64 %23, %22
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %29, label %26

26:                                               ; preds = %20
  %27 = add i32 %13, 1
  %28 = icmp sgt i32 %13, 18
  br i1 %28, label %213, label %29

29:                                               ; preds = %20, %26
  %30 = phi i32 [ %27, %26 ], [ %13, %20 ]
  %31 = add i64 %15, 1
  %32 = icmp slt i64 %31, %4
  br i1 %32, label %12, label %33

33:                                               ; preds = %12, %29
  %34 = phi i64 [ %15, %12 ], [ %4, %29 ]
  %35 = phi i64 [ %14, %12 ], [ %24, %29 ]
  %36 = phi i32 [ %13, %12 ], [ %30, %29 ]
  %37 = icmp eq i64 %34, %10
  br i1 %37, label %213, label %38

38:                                               ; preds = %33
  %39 = getelementptr inbounds i8, ptr %2, i64 %10
  %40 = load i8, ptr %39, align 1
  %41 = icmp eq i8 %40, 48
  %42 = sub i64 %34, %10
  %43 = icmp sgt i64 %42, 1
  %44 = select i1 %41, i1 %43, i1 false
  br i1 %44, label %213, label %45

45:                                               ; preds = %38
  br i1 %19, label %46, label %83

46:                                               ; preds = %45
  %47 = getelementptr inbounds i8, ptr %2, i64 %34
  %48 = load i8, ptr %47, align 1
  %49 = icmp eq i8 %48, 46
  br i1 %49, label %50, label %83

50:                                               ; preds = %46
  %51 = add i64 %34, 1
  %52 = icmp slt i64 %51, %4
  br i1 %52, label %53, label %213

53:                                               ; preds = %50, %70
  %54 = phi i32 [ %71, %70 ], [ %36, %50 ]
  %55 = phi i64 [ %65, %70 ], [ %35, %50 ]
  %56 = phi i64 [ %72, %70 ], [ %51, %50 ]
  %57 = getelementptr inbounds i8, ptr %2, i64 %56
  %58 = load i8, ptr %57, align 1
  %59 = add i8 %58, -58
  %60 = icmp ult i8 %59, -10
  br i1 %60, label %74, label %61

61:                                               ; preds = %53
  %62 = mul i64 %55, 10
  %63 = zext i8 %58 to i64
  %64 = add i64 %62, -48
  %65 = add i64 %64, %63
  %66 = icmp eq i64 %65, 0
  br i1 %66, label %70, label %67

67:                                               ; preds = %61
  %68 = add i32 %54, 1
  %69 = icmp sgt i32 %54, 18
  br i1 %69, label %213, label %70

70:                                               ; preds = %61, %67
  %71 = phi i32 [ %68, %67 ], [ %54, %61 ]
  %72 = add i64 %56, 1
  %73 = icmp eq i64 %72, %4
  br i1 %73, label %74, label %53

74:                                               ; preds = %53, %70
  %75 = phi i64 [ %4, %70 ], [ %56, %53 ]
  %76 = phi i64 [ %65, %70 ], [ %55, %53 ]
  %77 = icmp eq i64 %75, %51
  %78 = sub i64 %75, %51
  %79 = icmp sgt i64 %78, 60
  %80 = select i1 %77, i1 true, i1 %79
  br i1 %80, label %213, label %81

81:                                               ; preds = %74
  %82 = sub i64 %51, %75
  br label %83

83:                                               ; preds = %81, %46, %45
  %84 = phi i64 [ %75, %81 ], [ %34, %46 ], [ %34, %45 ]
  %85 = phi i64 [ %82, %81 ], [ 0, %46 ], [ 0, %45 ]
  %86 = phi i64 [ %76, %81 ], [ %35, %46 ], [ %35, %45 ]
  %87 = icmp slt i64 %84, %4
  br i1 %87, label %88, label %131

88:                                               ; preds = %83
  %89 = getelementptr inbounds i8, ptr %2, i64 %84
  %90 = load i8, ptr %89, align 1
  %91 = and i8 %90, -33
  %92 = icmp eq i8 %91, 69
  br i1 %92, label %93, label %131

93:                                               ; preds = %88
  %94 = add i64 %84, 1
  %95 = icmp slt i64 %94, %4
  br i1 %95, label %96, label %102

96:                                               ; preds = %93
  %97 = getelementptr inbounds i8, ptr %2, i64 %94
  %98 = load i8, ptr %97, align 1
  switch i8 %98, label %102 [
    i8 43, label %99
    i8 45, label %99
  ]

99:                                               ; preds = %96, %96
  %100 = add i64 %84, 2
  %101 = icmp ne i8 %98, 45
  br label %102

102:                                              ; preds = %96, %99, %93
  %103 = phi i64 [ %100, %99 ], [ %94, %96 ], [ %94, %93 ]
  %104 = phi i1 [ %101, %99 ], [ true, %96 ], [ true, %93 ]
  %105 = icmp slt i64 %103, %4
  br i1 %105, label %106, label %213

106:                                              ; preds = %102, %116
  %107 = phi i64 [ %120, %116 ], [ 0, %102 ]
  %108 = phi i64 [ %121, %116 ], [ %103, %102 ]
  %109 = getelementptr inbounds i8, ptr %2, i64 %108
  %110 = load i8, ptr %109, align 1
  %111 = add i8 %110, -58
  %112 = icmp ult i8 %111, -10
  br i1 %112, label %123, label %113

113:                                              ; preds = %106
  %114 = sub i64 %108, %103
  %115 = icmp ugt i64 %114, 1
  br i1 %115, label %213, label %116

116:                                              ; preds = %113
  %117 = mul i64 %107, 10
  %118 = zext i8 %110 to i64
  %119 = add i64 %117, -48
  %120 = add i64 %119, %118
  %121 = add i64 %108, 1
  %122 = icmp eq i64 %121, %4
  br i1 %122, label %123, label %106

123:                                              ; preds = %106, %116
  %124 = phi i64 [ %4, %116 ], [ %108, %106 ]
  %125 = phi i64 [ %120, %116 ], [ %107, %106 ]
  %126 = icmp eq i64 %124, %103
  br i1 %126, label %213, label %127

127:                                              ; preds = %123
  %128 = sub i64 0, %125
  %129 = select i1 %104, i64 %125, i64 %128
  %130 = add i64 %129, %85
  br label %131

131:                                              ; preds = %127, %88, %83
  %132 = phi i64 [ %124, %127 ], [ %84, %88 ], [ %84, %83 ]
  %133 = phi i64 [ %130, %127 ], [ %85, %88 ], [ %85, %83 ]
  %134 = add i64 %133, -61
  %135 = icmp ult i64 %134, -121
  br i1 %135, label %213, label %136

136:                                              ; preds = %131
  %137 = icmp eq i64 %86, 0
  br i1 %137, label %199, label %138

138:                                              ; preds = %136
  %139 = call i64 @llvm.ctlz.i64(i64 %86, i1 true)
  %140 = shl i64 %86, %139
  %141 = getelementptr inbounds i8, ptr %0, i64 40
  %142 = load ptr, ptr %141, align 8
  %143 = shl i64 %133, 4
  %144 = getelementptr i8, ptr %142, i64 %143
  %145 = getelementptr i8, ptr %144, i64 960
  %146 = zext i64 %140 to i128
  %147 = load i64, ptr %145, align 8
  %148 = zext i64 %147 to i128
  %149 = mul i128 %148, %146
  %150 = and i128 %149, 9426286221665580875776
  %151 = icmp eq i128 %150, 9426286221665580875776
  %152 = trunc i128 %149 to i64
  %153 = lshr i128 %149, 64
  %154 = trunc i128 %153 to i64
  br i1 %151, label %155, label %165

155:                                              ; preds = %138
  %156 = getelementptr i8, ptr %144, i64 968
  %157 = load i64, ptr %156, align 8
  %158 = zext i64 %157 to i128
  %159 = mul i128 %158, %146
  %160 = lshr i128 %159, 64
  %161 = add i128 %160, %149
  %162 = trunc i128 %161 to i64
  %163 = lshr i128 %161, 64
  %164 = trunc i128 %163 to i64
  br label %165

165:                                              ; preds = %138, %155
  %166 = phi i64 [ %162, %155 ], [ %152, %138 ]
  %167 = phi i64 [ %164, %155 ], [ %154, %138 ]
  %168 = lshr i64 %167, 63
  %169 = add i64 %168, 9
  %170 = lshr i64 %167, %169
  %171 = mul i64 %133, 217706
  %172 = ashr i64 %171, 16
  %173 = icmp ult i64 %166, 2
  %174 = add i64 %133, 4
  %175 = icmp ult i64 %174, 28
  %176 = and i1 %175, %173
  %177 = and i64 %170, 3
  %178 = icmp eq i64 %177, 1
  %179 = select i1 %176, i1 %178, i1 false
  %180 = shl i64 %170, %169
  %181 = icmp eq i64 %180, %167
  %182 = select i1 %179, i1 %181, i1 false
  %183 = and i64 %170, 72057594037927932
  %184 = select i1 %182, i64 %183, i64 %170
  %185 = and i64 %184, 1
  %186 = add i64 %185, %184
  %187 = lshr i64 %186, 1
  %188 = icmp ult i64 %186, 18014398509481984
  %189 = select i1 %188, i64 1023, i64 1024
  %190 = xor i64 %139, 63
  %191 = add i64 %172, %190
  %192 = add i64 %191, %168
  %193 = add i64 %192, %189
  %194 = and i64 %187, 9218868437227405311
  %195 = select i1 %188, i64 %194, i64 0
  %196 = shl i64 %193, 52
  %197 = or i64 %196, %195
  %198 = bitcast i64 %197 to double
  br label %199

199:                                              ; preds = %136, %165
  %200 = phi double [ %198, %165 ], [ 0.000000e+00, %136 ]
  %201 = getelementptr inbounds i8, ptr %1, i64 64
  %202 = load double, ptr %201, align 8
  %203 = fcmp ult double %200, %202
  br i1 %203, label %204, label %213

204:                                              ; preds = %199
  %205 = fneg double %200
  %206 = select i1 %8, double %205, double %200
  %207 = getelementptr inbounds i8, ptr %1, i64 8
  %208 = load ptr, ptr %207, align 8
  %209 = getelementptr inbounds i8, ptr %0, i64 112
  %210 = load i64, ptr %209, align 8
  %211 = shl i64 %210, 3
  %212 = getelementptr inbounds i8, ptr %208, i64 %211
  store double %206, ptr %212, align 1
  br label %213

213:                                              ; preds = %26, %67, %113, %102, %50, %5, %123, %204, %199, %131, %74, %33, %38
  %214 = phi i64 [ -1, %199 ], [ -1, %102 ], [ -1, %33 ], [ -1, %50 ], [ -1, %74 ], [ -1, %131 ], [ -1, %38 ], [ %132, %204 ], [ -1, %123 ], [ -1, %67 ], [ -1, %113 ], [ -1, %5 ], [ -1, %26 ]
  ret i64 %214
}

define internal fastcc i64 @put_string(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) {
  br label %6

6:                                                ; preds = %231, %5
  %7 = phi i64 [ %1, %5 ], [ %232, %231 ]
  %8 = phi ptr [ %3, %5 ], [ %234, %231 ]
  %9 = sub i64 %2, %7
  %10 = icmp sgt i64 %9, 7
  br i1 %10, label %11, label %32

11:                                               ; preds = %6, %27
  %12 = phi ptr [ %29, %27 ], [ %8, %6 ]
  %13 = phi i64 [ %28, %27 ], [ %7, %6 ]
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
  br i1 %26, label %27, label %32

27:                                               ; preds = %11
  store i64 %15, ptr %12, align 1
  %28 = add i64 %13, 8
  %29 = getelementptr inbounds i8, ptr %12, i64 8
  %30 = sub i64 %2, %28
  %31 = icmp sgt i64 %30, 7
  br i1 %31, label %11, label %32

32:                                               ; preds = %27, %11, %6
  %33 = phi i64 [ %7, %6 ], [ %13, %11 ], [ %28, %27 ]
  %34 = phi ptr [ %8, %6 ], [ %12, %11 ], [ %29, %27 ]
  %35 = icmp slt i64 %33, %2
  br i1 %35, label %36, label %235

36:                                               ; preds = %32, %51
  %37 = phi ptr [ %52, %51 ], [ %34, %32 ]
  %38 = phi i64 [ %53, %51 ], [ %33, %32 ]
  %39 = getelementptr inbounds i8, ptr %0, i64 %38
  %40 = load i8, ptr %39, align 1
  %41 = icmp eq i8 %40, 34
  br i1 %41, label %42, label %47

42:                                               ; preds = %36
  %43 = ptrtoint ptr %37 to i64
  %44 = ptrtoint ptr %3 to i64
  %45 = sub i64 %43, %44
  store i64 %45, ptr %4, align 8
  %46 = add i64 %38, 1
  br label %235

47:                                               ; preds = %36
  %48 = icmp ult i8 %40, 32
  br i1 %48, label %235, label %49

49:                                               ; preds = %47
  %50 = icmp eq i8 %40, 92
  br i1 %50, label %55, label %51

51:                                               ; preds = %49
  %52 = getelementptr inbounds i8, ptr %37, i64 1
  store i8 %40, ptr %37, align 1
  %53 = add i64 %38, 1
  %54 = icmp eq i64 %53, %2
  br i1 %54, label %235, label %36

55:                                               ; preds = %49
  %56 = getelementptr inbounds i8, ptr %0, i64 %38
  %57 = sub i64 %2, %38
  %58 = icmp slt i64 %57, 2
  br i1 %58, label %235, label %59

59:                                               ; preds = %55
  %60 = getelementptr i8, ptr %56, i64 1
  %61 = load i8, ptr %60, align 1
  switch i8 %61, label %235 [
    i8 34, label %114
    i8 92, label %114
    i8 47, label %114
    i8 98, label %114
    i8 102, label %114
    i8 110, label %114
    i8 114, label %114
    i8 116, label %114
    i8 117, label %62
  ]

62:                                               ; preds = %59
  %63 = icmp ult i64 %57, 6
  br i1 %63, label %235, label %67

64:                                               ; preds = %67
  %65 = add i64 %68, 1
  %66 = icmp eq i64 %65, 6
  br i1 %66, label %77, label %67

67:                                               ; preds = %62, %64
  %68 = phi i64 [ %65, %64 ], [ 2, %62 ]
  %69 = getelementptr i8, ptr %56, i64 %68
  %70 = load i8, ptr %69, align 1
  %71 = add i8 %70, -58
  %72 = icmp ult i8 %71, -10
  %73 = and i8 %70, -33
  %74 = add i8 %73, -71
  %75 = icmp ult i8 %74, -6
  %76 = and i1 %72, %75
  br i1 %76, label %235, label %64

77:                                               ; preds = %64
  %78 = icmp slt i64 %57, 12
  %79 = getelementptr i8, ptr %56, i64 2
  %80 = load i8, ptr %79, align 1
  %81 = and i8 %80, -33
  %82 = icmp eq i8 %81, 68
  br i1 %78, label %83, label %92

83:                                               ; preds = %77
  br i1 %82, label %84, label %114

84:                                               ; preds = %83
  %85 = getelementptr i8, ptr %56, i64 3
  %86 = load i8, ptr %85, align 1
  %87 = or i8 %86, 32
  %88 = and i8 %87, -2
  %89 = icmp eq i8 %88, 56
  %90 = icmp ugt i8 %87, 96
  %91 = or i1 %90, %89
  br i1 %91, label %235, label %114

92:                                               ; preds = %77
  br i1 %82, label %93, label %114

93:                                               ; preds = %92
  %94 = getelementptr i8, ptr %56, i64 6
  %95 = load i8, ptr %94, align 1
  %96 = icmp eq i8 %95, 92
  br i1 %96, label %97, label %114

97:                                               ; preds = %93
  %98 = getelementptr i8, ptr %56, i64 7
  %99 = load i8, ptr %98, align 1
  %100 = icmp eq i8 %99, 117
  br i1 %100, label %104, label %114

101:                                              ; preds = %104
  %102 = add i64 %105, 1
  %103 = icmp eq i64 %102, 12
  br i1 %103, label %114, label %104

104:                                              ; preds = %97, %101
  %105 = phi i64 [ %102, %101 ], [ 8, %97 ]
  %106 = getelementptr i8, ptr %56, i64 %105
  %107 = load i8, ptr %106, align 1
  %108 = add i8 %107, -58
  %109 = icmp ult i8 %108, -10
  %110 = and i8 %107, -33
  %111 = add i8 %110, -71
  %112 = icmp ult i8 %111, -6
  %113 = and i1 %109, %112
  br i1 %113, label %235, label %101

114:                                              ; preds = %101, %92, %93, %97, %59, %59, %59, %59, %59, %59, %59, %59, %84, %83
  %115 = add i64 %38, 2
  switch i8 %61, label %117 [
    i8 117, label %121
    i8 98, label %200
    i8 102, label %118
    i8 110, label %119
    i8 114, label %120
    i8 116, label %116
  ]

116:                                              ; preds = %114
  br label %200

117:                                              ; preds = %114
  br label %200

118:                                              ; preds = %114
  br label %200

119:                                              ; preds = %114
  br label %200

120:                                              ; preds = %114
  br label %200

121:                                              ; preds = %114
  %122 = getelementptr inbounds i8, ptr %0, i64 %115
  br label %123

123:                                              ; preds = %123, %121
  %124 = phi i64 [ 0, %121 ], [ %136, %123 ]
  %125 = phi i32 [ 0, %121 ], [ %135, %123 ]
  %126 = shl i32 %125, 4
  %127 = getelementptr inbounds i8, ptr %122, i64 %124
  %128 = load i8, ptr %127, align 1
  %129 = zext i8 %128 to i32
  %130 = icmp ult i8 %128, 58
  %131 = add i32 %129, -48
  %132 = or i32 %129, 32
  %133 = add i32 %132, -87
  %134 = select i1 %130, i32 %131, i32 %133
  %135 = add i32 %134, %126
  %136 = add i64 %124, 1
  %137 = icmp eq i64 %136, 4
  br i1 %137, label %138, label %123

138:                                              ; preds = %123
  %139 = add i64 %38, 6
  %140 = icmp ult i32 %135, 128
  br i1 %140, label %141, label %143

141:                                              ; preds = %138
  %142 = trunc i32 %135 to i8
  br label %200

143:                                              ; preds = %138
  %144 = icmp ult i32 %135, 2048
  br i1 %144, label %145, label %149

145:                                              ; preds = %143
  %146 = lshr i32 %135, 6
  %147 = trunc i32 %146 to i8
  %148 = or i8 %147, -64
  store i8 %148, ptr %37, align 1
  br label %222

149:                                              ; preds = %143
  %150 = and i32 %135, -1024
  %151 = icmp eq i32 %150, 55296
  br i1 %151, label %152, label %204

152:                                              ; preds = %149
  %153 = getelementptr inbounds i8, ptr %0, i64 %139
  %154 = load i8, ptr %153, align 1
  %155 = icmp eq i8 %154, 92
  br i1 %155, label %156, label %204

156:                                              ; preds = %152
  %157 = getelementptr i8, ptr %122, i64 5
  %158 = load i8, ptr %157, align 1
  %159 = icmp eq i8 %158, 117
  br i1 %159, label %160, label %204

160:                                              ; preds = %156
  %161 = getelementptr inbounds i8, ptr %153, i64 2
  br label %162

162:                                              ; preds = %162, %160
  %163 = phi i64 [ 0, %160 ], [ %175, %162 ]
  %164 = phi i32 [ 0, %160 ], [ %174, %162 ]
  %165 = shl i32 %164, 4
  %166 = getelementptr inbounds i8, ptr %161, i64 %163
  %167 = load i8, ptr %166, align 1
  %168 = zext i8 %167 to i32
  %169 = icmp ult i8 %167, 58
  %170 = add i32 %168, -48
  %171 = or i32 %168, 32
  %172 = add i32 %171, -87
  %173 = select i1 %169, i32 %170, i32 %172
  %174 = add i32 %173, %165
  %175 = add i64 %163, 1
  %176 = icmp eq i64 %175, 4
  br i1 %176, label %177, label %162

177:                                              ; preds = %162
  %178 = and i32 %174, -1024
  %179 = icmp eq i32 %178, 56320
  br i1 %179, label %180, label %204

180:                                              ; preds = %177
  %181 = add i64 %38, 12
  %182 = shl i32 %135, 10
  %183 = and i32 %182, 1047552
  %184 = and i32 %174, 1023
  %185 = or i32 %184, %183
  %186 = add i32 %185, 65536
  %187 = lshr i32 %186, 18
  %188 = trunc i32 %187 to i8
  %189 = or i8 %188, -16
  store i8 %189, ptr %37, align 1
  %190 = lshr i32 %186, 12
  %191 = trunc i32 %190 to i8
  %192 = and i8 %191, 63
  %193 = or i8 %192, -128
  %194 = getelementptr inbounds i8, ptr %37, i64 1
  store i8 %193, ptr %194, align 1
  %195 = lshr i32 %185, 6
  %196 = trunc i32 %195 to i8
  %197 = and i8 %196, 63
  %198 = or i8 %197, -128
  %199 = getelementptr inbounds i8, ptr %37, i64 2
  store i8 %198, ptr %199, align 1
  br label %222

200:                                              ; preds = %114, %116, %117, %118, %119, %120, %141
  %201 = phi i8 [ %142, %141 ], [ 8, %114 ], [ 10, %119 ], [ 12, %118 ], [ %61, %117 ], [ 13, %120 ], [ 9, %116 ]
  %202 = phi i64 [ %139, %141 ], [ %115, %114 ], [ %115, %119 ], [ %115, %118 ], [ %115, %117 ], [ %115, %120 ], [ %115, %116 ]
  store i8 %201, ptr %37, align 1
  %203 = icmp eq i8 %201, 0
  br i1 %203, label %235, label %231

204:                                              ; preds = %149, %152, %156, %177
  %205 = lshr i32 %135, 12
  %206 = trunc i32 %205 to i8
  %207 = or i8 %206, -32
  store i8 %207, ptr %37, align 1
  %208 = lshr i32 %135, 6
  %209 = trunc i32 %208 to i8
  %210 = and i8 %209, 63
  %211 = or i8 %210, -128
  %212 = getelementptr inbounds i8, ptr %37, i64 1
  store i8 %211, ptr %212, align 1
  %213 = trunc i32 %135 to i8
  %214 = and i8 %213, 63
  %215 = or i8 %214, -128
  %216 = getelementptr inbounds i8, ptr %37, i64 2
  store i8 %215, ptr %216, align 1
  %217 = icmp eq i8 %207, -19
  br i1 %217, label %218, label %231

218:                                              ; preds = %204
  %219 = getelementptr inbounds i8, ptr %37, i64 1
  %220 = load i8, ptr %219, align 1
  %221 = icmp ugt i8 %220, -97
  br i1 %221, label %235, label %231

222:                                              ; preds = %145, %180
  %223 = phi i32 [ %174, %180 ], [ %135, %145 ]
  %224 = phi i64 [ 3, %180 ], [ 1, %145 ]
  %225 = phi i64 [ %181, %180 ], [ %139, %145 ]
  %226 = phi i64 [ 4, %180 ], [ 2, %145 ]
  %227 = trunc i32 %223 to i8
  %228 = and i8 %227, 63
  %229 = or i8 %228, -128
  %230 = getelementptr inbounds i8, ptr %37, i64 %224
  store i8 %229, ptr %230, align 1
  br label %231

231:                                              ; preds = %222, %200, %204, %218
  %232 = phi i64 [ %202, %200 ], [ %139, %204 ], [ %139, %218 ], [ %225, %222 ]
  %233 = phi i64 [ 1, %200 ], [ 3, %204 ], [ 3, %218 ], [ %226, %222 ]
  %234 = getelementptr inbounds i8, ptr %37, i64 %233
  br label %6

235:                                              ; preds = %200, %218, %84, %59, %62, %55, %32, %51, %47, %67, %104, %42
  %236 = phi i64 [ %46, %42 ], [ -1, %104 ], [ -1, %51 ], [ -1, %67 ], [ -1, %47 ], [ -1, %32 ], [ -1, %55 ], [ -1, %62 ], [ -1, %59 ], [ -1, %84 ], [ -1, %218 ], [ -1, %200 ]
  ret i64 %236
}

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

declare i64 @llvm.smax.i64(i64, i64)
